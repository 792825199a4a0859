import type { VideoCodec } from '../media/video.ts'
import type { ErrorReply, Translatable, Upstream } from './dialect-info.ts'
import type { GatewayError } from './errors.ts'
import type { FileFields } from './files.ts'
import type { Operation } from './operation.ts'
import type { ClientRequest } from './request.ts'

/**
 * A request/response dialect, as data. Its `name` is also the family that accounts list in `speaks`.
 * Everything a dialect knows about the wire is reachable from here; the kernel knows none by name.
 */
export interface Dialect {
  readonly name: string
  /** What its documentation calls it: `Messages API`. Absent: its name. */
  readonly title?: string
  /** The credential that decides: the dialect's own header first, then the others. */
  credential(request: ClientRequest): string | undefined
  /** Where its clients send it, for those who did not: `x-api-key: KEY`. */
  readonly credentialAs?: readonly string[]
  /** Whether a request to a path that dialects share comes from one of this dialect's clients. */
  claims?(request: ClientRequest): boolean
  /** Where this dialect's SDK reads the request's id, besides `x-request-id`. */
  readonly requestIdHeader?: string
  /** How an error looks to this dialect's clients. */
  error(error: GatewayError, exchange: { readonly id: string }): ErrorReply
  /** What an account that speaks this dialect needs. Absent where no account ever does. */
  readonly upstream?: Upstream
  readonly operations: readonly Operation[]
  /**
   * Its operations of the capability `generate` in the words of the neutral model. Absent: clients
   * of it are served by accounts that speak it, and accounts that speak nothing else by no others.
   */
  readonly generate?: Translatable
  /**
   * Where its requests name files. A body that names uploads is understood twice: before they are read,
   * and with their bytes in it. Absent: its operations know themselves.
   */
  readonly files?: FileFields
  /** How its accounts are asked for videos, whatever the client speaks. */
  readonly video?: VideoCodec
}

/** Identity, for types and completion. */
export function defineDialect(dialect: Dialect): Dialect {
  return dialect
}
