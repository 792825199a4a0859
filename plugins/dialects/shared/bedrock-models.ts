/** Inference profiles of regions, before the id of their model. */
const region = /^(?:us|us-gov|eu|apac|jp|au|ca|global)\./

/** The id of the model of an inference profile, which alone counts tokens (docs/wire/bedrock.md 1.1). */
export function modelOfProfile(id: string): string {
  const [, profile = id] = /^arn:[^/]*:inference-profile\/(.+)$/.exec(id) ?? []
  return profile.replace(region, '')
}
