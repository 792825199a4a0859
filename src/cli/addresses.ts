import { CommandError } from './command.ts'

/** Why an address cannot be listened on, in one line. `flag` is the option that chooses the port. */
export function explainListenError(
  error: unknown,
  { host, port }: { host: string; port: number },
  flag: string,
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reason = reasons[String(code)]
  if (!reason) return error
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return new CommandError(`${address} ${reason} Choose another with ${flag}.`, { cause: error })
}

const reasons: Partial<Record<string, string>> = {
  EADDRINUSE: 'is in use already.',
  EACCES: 'may not be used by this user.',
  EADDRNOTAVAIL: 'is no address of this machine.',
  ENOTFOUND: 'is no address of this machine.',
}

/** Whether nobody but this machine can reach an address. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
