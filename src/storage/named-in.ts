import { GatewayError } from '../errors.ts'
import type { Caller } from '../exchange.ts'
import type { Files, OpenedFile } from '../files.ts'

/** An upload as a request names it. */
export interface NamedUpload {
  readonly path: string
  /** Where the path stands: `images[1]`. */
  readonly field: string
}

/** Opens it. Throws as `Files.open` does, in words that name field and path. */
export function openNamed(files: Files, named: NamedUpload, caller: Caller): Promise<OpenedFile> {
  return tellingOf(named, files.open(named.path, caller))
}

/** What is asked about an upload; a `GatewayError` then names the field, and the path of what is missing. */
export async function tellingOf<T>(named: NamedUpload, asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    throw GatewayError.isInstance(error) ? about(named, error) : error
  })
}

function about(named: NamedUpload, error: GatewayError): GatewayError {
  const { code, status, headers, retry, cause } = error
  const further = {
    status,
    param: named.field,
    headers,
    cause,
    ...(retry !== undefined && { retry }),
  }
  return new GatewayError(code, `\`${named.field}\`: ${sentenceOf(named, error)}`, further)
}

function sentenceOf({ path }: NamedUpload, { code, message }: GatewayError): string {
  if (code !== 'not_found') return message
  return `there is no file \`${shortened(path)}\` of this key.`
}

/** Paths that were given out are shorter. Characters. */
const longestShown = 800

function shortened(path: string): string {
  return path.length > longestShown ? `${path.slice(0, longestShown)}…` : path
}
