import { GatewayError } from '../../../src/contract/errors.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import { jobIdLength } from '../../../src/jobs/ids.ts'
import type { Job } from '../../../src/jobs/job.ts'
import type { PublicUrl } from '../../../src/kit/public-url.ts'

/** The members of an operation's name, in any of its forms. */
export interface OperationName {
  readonly id: string
  readonly project?: string
  readonly location?: string
  readonly publisher?: string
  /** May contain a slash. */
  readonly model?: string
}

/** Parses an operation's name; the id follows the last `/operations/`. `undefined` without one. */
export function parseName(name: string): OperationName | undefined {
  const [, place = '', id] = /^(?:(.*)\/)?operations\/([^/]+)$/.exec(name) ?? []
  const members = parsePlace(place)
  return id === undefined || !members ? undefined : { id, ...members }
}

/** Parses the part of a name before `/operations/`; `undefined` if it is of another form. */
function parsePlace(place: string): Omit<OperationName, 'id'> | undefined {
  const shape =
    /^(?:projects\/([^/]+)\/locations\/([^/]+))?\/?(?:(?:publishers\/([^/]+)\/)?models\/(.+))?$/
  const found = shape.exec(place)
  if (!found) return undefined
  const [, project, location, publisher, model] = found
  return {
    ...(project !== undefined && { project }),
    ...(location !== undefined && { location }),
    ...(publisher !== undefined && { publisher }),
    ...(model !== undefined && { model }),
  }
}

/** Project and location of operations whose account names none. */
const defaultLocation = { project: 'dragoman', location: 'global' }

/** The publisher that SDKs use for models without one. */
const defaultPublisher = 'google'

function locationOf({ dialect, upstreamId }: Job): { project: string; location: string } {
  const { project, location } = dialect === videoOperationsId ? (parseName(upstreamId) ?? {}) : {}
  return project !== undefined && location !== undefined ? { project, location } : defaultLocation
}

/** The dialect's id, as accounts list it in `speaks`. */
export const videoOperationsId = 'video-operations'

/** Returns the name of an operation in the reply of a creation. */
export function shortOperationName(job: Job): string {
  const { project, location } = locationOf(job)
  return `projects/${project}/locations/${location}/operations/${job.id}`
}

/** Returns the name of an operation in the reply of a look-up, with the full model name. */
export function longName(job: Job): string {
  const { project, location } = locationOf(job)
  return `projects/${project}/locations/${location}/publishers/${publisherOf(job.model)}/models/${job.model}/operations/${job.id}`
}

function publisherOf(model: string): string {
  return model.includes('/') ? model.slice(0, model.indexOf('/')) : defaultPublisher
}

/** Whether every member of a name matches the job. */
export function matchesName(job: Job, name: Omit<OperationName, 'id'>): boolean {
  const { project, location } = name
  const place = locationOf(job)
  return (
    (project === undefined || project === place.project) &&
    (location === undefined || location === place.location) &&
    [job.model, job.requested].some((model) => matchesModel(model, name))
  )
}

/** SDKs write `publishers/pub/models/m` for the model `pub/m`, the gateway `publishers/pub/models/pub/m`. */
function matchesModel(own: string, { publisher, model }: Omit<OperationName, 'id'>): boolean {
  if (publisher !== undefined && publisher !== publisherOf(own)) return false
  return model === undefined || model === own || `${publisher}/${model}` === own
}

/** Returns the file id of a job's video: SDKs accept only lower case letters and digits. */
export function fileId(job: Pick<Job, 'id'>, index: number): string {
  return job.id + index.toString(36)
}

/** Parses a file id; `undefined` if the text is not a file id. */
export function parseFileId(file: string): { id: string; index: number } | undefined {
  const index = /^[0-9a-z]$/.test(file.slice(jobIdLength)) && parseInt(file.slice(jobIdLength), 36)
  return index === false ? undefined : { id: file.slice(0, jobIdLength), index }
}

/**
 * Returns the URI of a file, always with `https`: Google's SDKs only read the file's name from such
 * URIs, and download it from their own base URL. Throws `GatewayError` 500 without a public URL.
 */
export function uriOf(file: string, publicUrl: PublicUrl, request: ClientRequest): string {
  return publicUrl.of(`/v1beta/files/${file}`, request).replace(/^http:/, 'https:')
}

/** Returns the URI of a file's content. Throws as `uriOf` does. */
export function contentUriOf(file: string, publicUrl: PublicUrl, request: ClientRequest): string {
  return `${uriOf(file, publicUrl, request)}:download?alt=media`
}

/** Returns the same `not_found` error for unknown, expired and other callers' operations. */
export function noOperation(): GatewayError {
  return new GatewayError('not_found', 'Operation not found.')
}

/** Returns the same `not_found` error for unknown, expired and other callers' files. */
export function noFile(): GatewayError {
  return new GatewayError('not_found', 'File not found.')
}
