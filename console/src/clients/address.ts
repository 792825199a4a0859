import type { ClientAddressQuery } from './operations.generated.ts'

/** Addresses that stand for all of a machine. */
const everywhere: readonly unknown[] = ['0.0.0.0', '::']

/** Where clients reach the gateway: `publicUrl`, or the address that it listens at. Undefined: it is not known. */
export function addressOf(
  { listen, publicUrl }: ClientAddressQuery['configuration'],
  /** The host of this page: a gateway that listens everywhere is there too. */
  here: string = location.hostname,
): string | undefined {
  const known = publicUrl.find(({ path }) => path === 'publicUrl')?.value
  if (typeof known === 'string' && known !== '') return known.replace(/\/+$/, '')
  const [host, port] = ['listen.host', 'listen.port'].map(
    (name) => listen.find(({ path }) => path === name)?.value,
  )
  if (typeof host !== 'string' || typeof port !== 'number') return undefined
  if (everywhere.includes(host)) return `http://${here}:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
