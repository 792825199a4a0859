import { proxyFailureIn } from './proxy.ts'
import { reasonOfCode } from './reason-of-code.ts'

/** Why a call has no answer, in words for operators. The error's own message may name anything. */
export function describeCallError(error: unknown): string {
  const proxy = proxyFailureIn(error)
  if (proxy) return proxy.message
  const code = codeOf(error)
  return code === undefined ? 'The call fails.' : reasonOfCode(code)
}

/** The code of an error, of its cause, or of the first of several errors. */
function codeOf(error: unknown, levels = 4): string | undefined {
  const { code, cause, errors } = Object(error) as Readonly<Record<string, unknown>>
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return code
  if (levels === 0) return undefined
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : []
  return codeOf(cause ?? first, levels - 1)
}
