/** Inference profiles of regions, by id or ARN: the id of their model has them in front. */
const profile =
  /^(?:arn:[^/]*:inference-profile\/)?(?:us|us-gov|eu|apac|jp|au|ca|global)\.(?<model>.+)$/

/** The id of the model of an inference profile, which alone counts tokens (docs/wire/bedrock.md 1.1). */
export function modelOfProfile(id: string): string {
  return profile.exec(id)?.groups?.['model'] ?? id
}
