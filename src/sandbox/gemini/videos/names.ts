/**
 * The resource that an operation belongs to. The name of an operation contains some or all of it.
 */
export type OperationPlace = {
  project: string | undefined
  location: string | undefined
  publisher: string | undefined
  model: string
}

/** The usual name: with the model, and with the project if there is one. */
export function longName({ project, location, publisher, model }: OperationPlace, id: string) {
  const owner = project === undefined ? '' : `projects/${project}/locations/${location}/`
  const maker = publisher === undefined ? '' : `publishers/${publisher}/`
  return `${owner}${maker}models/${model}/operations/${id}`
}

/** The name without the model. */
export function shortName({ project, location }: OperationPlace, id: string): string {
  return project === undefined
    ? `operations/${id}`
    : `projects/${project}/locations/${location}/operations/${id}`
}

const namePattern =
  /^(?:projects\/(?<project>[^/]+)\/locations\/(?<location>[^/]+)\/)?(?:publishers\/(?<publisher>[^/]+)\/)?(?:models\/(?<model>.+)\/)?operations\/(?<id>[^/]+)$/

/** Parses a name; undefined for one that is no operation's. */
export function readName(name: string): (Partial<OperationPlace> & { id: string }) | undefined {
  const { id, ...place } = namePattern.exec(name)?.groups ?? {}
  return id === undefined ? undefined : { ...place, id }
}

/** Whether every member of a parsed name equals the place's member. */
export function matchesPlace(name: Partial<OperationPlace>, place: OperationPlace): boolean {
  const parts = ['project', 'location', 'publisher', 'model'] as const
  return parts.every((part) => name[part] === undefined || name[part] === place[part])
}
