import type { ErrorReply } from '../contract/dialect-info.ts'
import type { GatewayError } from '../contract/errors.ts'

/**
 * The contract's general envelope, `{error: {code, message, details}}` with an integer code, and
 * beside it the fields that OpenAI's SDKs read (docs/wire/contract.md 5). Used where no dialect is
 * known, and by the dialects that share it. The string code stands in `details`, where a number could
 * not take its place.
 */
export function errorEnvelope(error: GatewayError): ErrorReply {
  const { status, message, param = null } = error
  const told = upstreamError(error)
  const type = typeof told?.type === 'string' ? told.type : openAiType(error)
  const shared = { type, param: told?.param ?? param }
  const toldDetails: unknown[] = Array.isArray(told?.details) ? told.details : []
  const detail = { code: told?.code ?? error.code, ...shared }
  return {
    status,
    body: {
      error: { ...told, code: status, message, details: [detail, ...toldDetails], ...shared },
    },
  }
}

/** The upstream's own error object, whose further fields are kept. */
function upstreamError({ upstream }: GatewayError): Record<string, unknown> | undefined {
  const body: unknown = Array.isArray(upstream?.json) ? upstream.json[0] : upstream?.json
  const error = (body as { error?: unknown } | null | undefined)?.error
  return typeof error === 'object' && error !== null ? { ...error } : undefined
}

/** OpenAI's names for kinds of errors. */
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
