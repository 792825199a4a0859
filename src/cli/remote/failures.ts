import { visibleInLine } from '../../lib/visible.ts'
import { CommandError } from '../command.ts'
import { packageVersion } from '../versions.ts'

/** A running gateway does not answer, or not now: later it may. */
export class GatewayAway extends CommandError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'GatewayAway'
  }
}

/** An error of a GraphQL answer, or of a refusal in its form. */
export interface AnswerError {
  readonly message: string
  readonly extensions?: { readonly code?: string; readonly requestId?: string }
}

/** An answer that says why there is no data. */
interface FailedAnswer {
  /** The origin of the gateway. */
  readonly origin: string
  readonly status: number
  readonly errors: readonly AnswerError[]
  /** The role that the operation needs. */
  readonly role: string
  readonly isApiKey: boolean
  /** Whether the operation would have changed something. */
  readonly isAct: boolean
}

/** Codes of connections that were never open: the gateway has got nothing. */
const reasons: Partial<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'this host is not known',
  EAI_AGAIN: 'the name server does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
}

/** In characters. */
const longestText = 1_000

/** A text of the gateway for a message. */
export function quoted(text: unknown): string {
  const line = visibleInLine(String(text))
  return line.length > longestText ? `${line.slice(0, longestText)}...` : line
}

/** The failure of a request without an answer. `isAct`: it would have changed something. */
export function unanswered(origin: string, error: unknown, isAct: boolean): CommandError {
  const cause = causeOf(error)
  const code = String(Object(cause).code ?? '')
  const isBadPort = Object(cause).message === 'bad port'
  const reason = isBadPort ? 'no client of HTTP uses this port' : reasons[code]
  if (reason !== undefined) {
    return new GatewayAway(
      `No gateway answers at ${origin}: ${reason}. Is it running, and is this its admin address?`,
      { cause: error },
    )
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|SSL/.test(code)) {
    return new CommandError(
      `The certificate of ${origin} is not trusted (${quoted(code)}). NODE_EXTRA_CA_CERTS names the file of another authority.`,
      { cause: error },
    )
  }
  const isLate = error instanceof DOMException && error.name === 'TimeoutError'
  const what = isLate ? 'does not answer in time' : 'has closed the connection without an answer'
  return new GatewayAway(`${origin} ${what}.${isAct ? ` ${maybeDone}` : ''}`, { cause: error })
}

const maybeDone = 'The act may have been done or not: the audit log says it.'

/** The error below those that only wrap it. */
function causeOf(error: unknown): unknown {
  const { cause, code, errors } = Object(error) as Record<string, unknown>
  if (code === undefined && Array.isArray(errors) && errors.length > 0) return causeOf(errors[0])
  return cause instanceof Error ? causeOf(cause) : error
}

/** The error for an address whose server has no admin API. */
export function notAdmin(origin: string, status: number, isAct = false): CommandError {
  // A proxy that waits no longer has sent the act on.
  if (status === 504 && isAct) {
    return new GatewayAway(`${origin} answers too late (504). ${maybeDone}`)
  }
  const message = `${origin} is not the admin address of a gateway: it answered ${status}. The gateway names the address when it starts ("... and http://127.0.0.1:8788 (admin)").`
  // A proxy answers for a gateway that restarts.
  return [502, 503, 504].includes(status) ? new GatewayAway(message) : new CommandError(message)
}

/** The gateway sends the client elsewhere. */
export function redirected(origin: string, location: string | null): CommandError {
  const place = URL.parse(location ?? '', origin)?.origin
  return new CommandError(
    `${origin} redirects${place ? ` to ${quoted(place)}` : ''}, where the admin token is not sent. Name the address itself with --url.`,
  )
}

/** The failure that an answer without data means. */
export function errorOfAnswer({
  origin,
  status,
  errors,
  role,
  isApiKey,
  isAct,
}: FailedAnswer): CommandError {
  const [first] = errors
  const code = first?.extensions?.code
  const text = [...new Set(errors.map(({ message }) => quoted(message)))].join(' ')
  if (status === 401 || code === 'UNAUTHENTICATED') {
    return new CommandError(
      isApiKey
        ? `${origin} refuses the token: it is an API key, and the admin API takes admin tokens only.`
        : `${origin} refuses the admin token: it is wrong, expired or revoked.`,
    )
  }
  if (code === 'FORBIDDEN') {
    return new CommandError(`${text} This needs an admin token of the role ${role}.`)
  }
  if (foreign.test(`${code} ${text}`)) {
    return new CommandError(
      `${origin} does not understand this command. Its version may be different from the version of the command (${packageVersion()}). ${text}`,
    )
  }
  const { requestId } = first?.extensions ?? {}
  const message = requestId === undefined ? text : `${text} (request ${quoted(requestId)})`
  if (status === 504 && isAct && !message.includes('may have been done')) {
    return new GatewayAway(`${message} ${maybeDone}`)
  }
  return [429, 502, 503, 504].includes(status)
    ? new GatewayAway(message)
    : new CommandError(message)
}

/** The schema has not all that a document or its variables name. */
const foreign = /^GRAPHQL_(?:VALIDATION|PARSE)_FAILED | is not defined by type /
