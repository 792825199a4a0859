import type { ErrorReply } from '../contract/dialect-info.ts'
import type { GatewayError } from '../contract/errors.ts'

/**
 * Formats an error in the general envelope, `{error: {code, message, details}}` with an integer code,
 * plus the fields that OpenAI's SDKs read (docs/wire/contract.md 5). Used if the dialect is unknown,
 * and by dialects that share it. The string code is in `details`, since `code` is the status.
 */
export function errorEnvelope(error: GatewayError): ErrorReply {
  const { status, message, param = null } = error
  const original = upstreamError(error)
  const type = typeof original?.type === 'string' ? original.type : openAiType(error)
  const shared = { type, param: original?.param ?? param }
  const details: unknown[] = Array.isArray(original?.details) ? original.details : []
  const detail = { code: original?.code ?? error.upstreamCode ?? error.code, ...shared }
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
