import type { ErrorContext, ErrorReply } from '../contract/dialect-info.ts'
import type { ErrorCode, GatewayError } from '../contract/errors.ts'

/**
 * Formats an error in the general envelope, `{error: {code, message, details}}` with an integer code,
 * plus the fields that OpenAI's SDKs read (docs/wire/contract.md 5). Used if the dialect is unknown,
 * and by dialects that share it. The string code is in `details`, since `code` is the status. With `errors: 'native'`
 * the envelope is OpenAI's own.
 */
export function errorEnvelope(
  error: GatewayError,
  { errors }: Pick<ErrorContext, 'errors'> = {},
): ErrorReply {
  const { status, message, param = null } = error
  const original = upstreamError(error)
  if (errors === 'native') return { status, body: { error: openAiError(error, original) } }
  const type = typeof original?.type === 'string' ? original.type : openAiType(error)
  const shared = { type, param: original?.param ?? param }
  const details: unknown[] = Array.isArray(original?.details) ? original.details : []
  const code = original?.code ?? error.upstreamCode ?? error.code
  const detail = { code, ...shared, ...error.details }
  return {
    status,
    body: {
      error: { ...original, code: status, message, details: [detail, ...details], ...shared },
    },
  }
}

/** The upstream's own error object, whose further fields the client also gets. */
function upstreamError({ upstream }: GatewayError): Record<string, unknown> | undefined {
  const body: unknown = Array.isArray(upstream?.json) ? upstream.json[0] : upstream?.json
  const error = (body as { error?: unknown } | null | undefined)?.error
  return typeof error === 'object' && error !== null
    ? (error as Record<string, unknown>)
    : undefined
}

/** The `type` of an error in OpenAI's dialects. */
export function openAiType(error: GatewayError): string {
  switch (error.kind) {
    case 'authentication':
      return 'authentication_error'
    case 'permission':
      return 'permission_error'
    case 'billing':
      return error.code === 'budget_exceeded' ? 'insufficient_quota' : 'invalid_request_error'
    case 'rate_limit':
      return 'rate_limit_error'
    case 'internal':
    case 'overloaded':
    case 'upstream':
    case 'timeout':
      return error.status < 500 ? 'invalid_request_error' : 'server_error'
    default:
      return 'invalid_request_error'
  }
}

/** An error as OpenAI writes it: `type` is a text, `code` and `param` are texts or null. */
function openAiError(error: GatewayError, original: Record<string, unknown> | undefined): object {
  const { type, param, code } = original ?? { type: undefined, param: error.param }
  return {
    ...original,
    message: error.message,
    type: typeof type === 'string' ? type : nativeType(error),
    param: typeof param === 'string' ? param : null,
    code: typeof code === 'string' ? code : original ? null : openAiCode(error),
  }
}

/** OpenAI's type of an error. Clients retry a 429 of the type `requests`, and not one of the type `insufficient_quota`. */
function nativeType({ code, status }: GatewayError): string {
  if (code === 'quota_exceeded' || code === 'budget_exceeded') return 'insufficient_quota'
  if (status === 429) return 'requests'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

/** The codes for which OpenAI has a word of its own (docs/wire/openai.md 5.5). */
const openAiCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  unauthenticated: 'invalid_api_key',
  method_not_allowed: 'method_not_supported',
  rate_limited: 'rate_limit_exceeded',
  quota_exceeded: 'insufficient_quota',
  budget_exceeded: 'insufficient_quota',
  budget_in_use: 'rate_limit_exceeded',
  internal_error: 'server_error',
}

function openAiCode({ code, upstreamCode, status }: GatewayError): string | null {
  if (upstreamCode !== undefined) return upstreamCode
  // The account of another dialect has said no code.
  if (code === 'upstream_rejected') return status === 429 ? 'rate_limit_exceeded' : null
  return openAiCodes[code] ?? code
}
