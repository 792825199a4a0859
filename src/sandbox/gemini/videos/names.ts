/** Where an operation belongs; the name of an operation says some or all of it. */
export type OperationPlace = {
  project: string | undefined
  location: string | undefined
  publisher: string | undefined
  model: string
}

/** The name as it is usual: with the model, and with the project where there is one. */
export function longName({ project, location, publisher, model }: OperationPlace, id: string) {
  const owner = project === undefined ? '' : `projects/${project}/locations/${location}/`
  const maker = publisher === undefined ? '' : `publishers/${publisher}/`
  return `${owner}${maker}models/${model}/operations/${id}`
}

/** A name that leaves the model out. */
export function shortName({ project, location }: OperationPlace, id: string): string {
  return project === undefined
    ? `operations/${id}`
    : `projects/${project}/locations/${location}/operations/${id}`
}

const written =
  /^(?:projects\/(?<project>[^/]+)\/locations\/(?<location>[^/]+)\/)?(?:publishers\/(?<publisher>[^/]+)\/)?(?:models\/(?<model>.+)\/)?operations\/(?<id>[^/]+)$/

/** What a name says, or undefined for one that names no operation. */
export function readName(name: string): (Partial<OperationPlace> & { id: string }) | undefined {
  const { id, ...place } = written.exec(name)?.groups ?? {}
  return id === undefined ? undefined : { ...place, id }
}

/** Whether all that a name says is true of the place. */
export function agrees(said: Partial<OperationPlace>, place: OperationPlace): boolean {
  const parts = ['project', 'location', 'publisher', 'model'] as const
  return parts.every((part) => said[part] === undefined || said[part] === place[part])
}
