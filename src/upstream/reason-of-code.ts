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

/** What a code means, in words for operators. */
export function reasonOfCode(code: string): string {
  return reasons[code] ?? `The call fails (${code}).`
}
