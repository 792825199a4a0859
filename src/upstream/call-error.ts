/** What the codes of the system and of undici mean, for operators. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name of the host has no address.',
  EAI_AGAIN: 'The name service does not answer.',
  ECONNREFUSED: 'The host refuses the connection.',
  ECONNRESET: 'The host ends the connection.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network of the host cannot be reached.',
  ETIMEDOUT: 'The connection takes too long.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection takes too long.',
  UND_ERR_SOCKET: 'The host ends the connection.',
}

/** Why a call has no answer, in words for operators. The error's own message may name anything. */
export function describeCallError(error: unknown): string {
  const code = codeOf(error)
  if (code === undefined) return 'The call fails.'
  return reasons[code] ?? `The call fails (${code}).`
}

/** The code of an error, of its cause, or of the first of several errors. */
function codeOf(error: unknown, levels = 4): string | undefined {
  const { code, cause, errors } = Object(error) as Readonly<Record<string, unknown>>
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code)) return code
  if (levels === 0) return undefined
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : []
  return codeOf(cause ?? first, levels - 1)
}
