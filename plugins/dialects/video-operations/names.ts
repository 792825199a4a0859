import { GatewayError } from '../../../src/contract/errors.ts'
import { jobIdLength } from '../../../src/jobs/ids.ts'
import type { Job } from '../../../src/jobs/job.ts'
import type { PublicUrl } from '../../../src/kit/public-url.ts'

/** What a name of an operation says, in whichever of its forms it is written. */
export interface OperationName {
  readonly id: string
  readonly project?: string
  readonly location?: string
  readonly publisher?: string
  /** With its slash, where it has one. */
  readonly model?: string
}

/** What this name says; the id stands after the last `/operations/`. */
export function parseName(name: string): OperationName | undefined {
  const [, place = '', id] = /^(?:(.*)\/)?operations\/([^/]+)$/.exec(name) ?? []
  return id === undefined ? undefined : { id, ...parsePlace(place) }
}

/** What stands before an operation, or before the verb that asks for one. */
export function parsePlace(place: string): Omit<OperationName, 'id'> {
  const found =
    /^(?:projects\/([^/]+)\/locations\/([^/]+))?\/?(?:(?:publishers\/([^/]+)\/)?models\/(.+))?$/
  const [, project, location, publisher, model] = found.exec(place) ?? []
  return {
    ...(project !== undefined && { project }),
    ...(location !== undefined && { location }),
    ...(publisher !== undefined && { publisher }),
    ...(model !== undefined && { model }),
  }
}

/** Where accounts that name none have their operations. */
const usual = { project: 'dragoman', location: 'global' }

/** The publisher that SDKs write for models without one. */
const usualPublisher = 'google'

function placeOf({ dialect, upstreamId }: Job): { project: string; location: string } {
  const { project, location } = dialect === videoOperationsId ? (parseName(upstreamId) ?? {}) : {}
  return project !== undefined && location !== undefined ? { project, location } : usual
}

/** What accounts list in `speaks`. */
export const videoOperationsId = 'video-operations'

/** The form that creation answers. */
export function shortOperationName(job: Job): string {
  const { project, location } = placeOf(job)
  return `projects/${project}/locations/${location}/operations/${job.id}`
}

/** The form that lookups answer: the model's whole name, its slash included. */
export function longName(job: Job): string {
  const { project, location } = placeOf(job)
  const publisher = job.model.includes('/')
    ? job.model.slice(0, job.model.indexOf('/'))
    : usualPublisher
  return `projects/${project}/locations/${location}/publishers/${publisher}/models/${job.model}/operations/${job.id}`
}

/** Whether all that a name says is so. */
export function isNamed(job: Job, name: Omit<OperationName, 'id'>): boolean {
  const { project, location, publisher, model } = name
  const place = placeOf(job)
  return (
    (project === undefined || project === place.project) &&
    (location === undefined || location === place.location) &&
    (model === undefined || isModel(job, model) || isModel(job, `${publisher}/${model}`))
  )
}

function isModel(job: Job, model: string): boolean {
  return model === job.model || model === job.requested
}

/** One of a job's videos as a file: SDKs take small letters and digits alone. */
export function fileId(job: Pick<Job, 'id'>, index: number): string {
  return job.id + index.toString(36)
}

/** `undefined` for what no file is called. */
export function parseFileId(file: string): { id: string; index: number } | undefined {
  const index = /^[0-9a-z]$/.test(file.slice(jobIdLength)) && parseInt(file.slice(jobIdLength), 36)
  return index === false ? undefined : { id: file.slice(0, jobIdLength), index }
}

/**
 * The URI of a file, or of its content. `https` whatever the gateway itself is asked with: Google's
 * SDKs take the file's name out of such URIs alone, and ask their own base URL for it. Throws
 * `GatewayError` 500 as `PublicUrl` does.
 */
export function uriOf(file: string, publicUrl: PublicUrl): string {
  return publicUrl.of(`/v1beta/files/${file}`).replace(/^http:/, 'https:')
}

export function contentUriOf(file: string, publicUrl: PublicUrl): string {
  return `${uriOf(file, publicUrl)}:download?alt=media`
}

/** Never made, another key's, too old, or of another place: all look the same. */
export function noOperation(): GatewayError {
  return new GatewayError('not_found', 'Operation not found.')
}

export function noFile(): GatewayError {
  return new GatewayError('not_found', 'File not found.')
}
