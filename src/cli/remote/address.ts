import { resolveSecret } from '../../configuration/secrets.ts'
import type { Problem } from '../../contract/problems.ts'
import { isLoopbackHost } from '../../lib/hosts.ts'
import { type Invocation, UsageError } from '../command.ts'
import { programName } from '../hints.ts'

/** The admin address of a running gateway, and the token to send to it. */
interface AdminAddress {
  /** Ends with a slash. It may have a path, behind a proxy. */
  readonly base: URL
  readonly token: string
}

const urlVariable = 'DRAGOMAN_ADMIN_URL'
const tokenVariable = 'DRAGOMAN_ADMIN_TOKEN'

/**
 * Whether a command speaks to a running gateway, in place of the store: `--url` or `DRAGOMAN_ADMIN_URL`
 * names one, and no flag names a store. Throws `UsageError` for flags that contradict each other.
 */
export function isRemote({ options, terminal: { env } }: Invocation): boolean {
  const { url, token, store, config } = options
  const local = store === undefined ? (config === undefined ? undefined : '--config') : '--store'
  if (url !== undefined && local !== undefined) {
    throw new UsageError(
      `--url is for a running gateway, ${local} for its store: name one of them.`,
    )
  }
  if (url !== undefined) return true
  const isNamed = Boolean(env[urlVariable]) && local === undefined
  if (isNamed || (token === undefined && options['insecure'] === undefined)) return isNamed
  throw new UsageError(
    `${token === undefined ? '--insecure' : '--token'} is for a running gateway: name its admin address with --url URL or ${urlVariable}.`,
  )
}

/** Throws `UsageError` unless the command line or the environment names a running gateway. */
export function requireRemote(invocation: Invocation, command: string): void {
  if (isRemote(invocation)) return
  throw new UsageError(
    `\`${command}\` asks a running gateway: name its admin address with --url URL or ${urlVariable}.`,
  )
}

/** The address and the token of a command for which `isRemote`. Throws `UsageError`. */
export function addressOf({ options, terminal: { env } }: Invocation): AdminAddress {
  const base = baseOf(options['url'] ?? env[urlVariable] ?? '')
  const source = options['token'] === undefined ? tokenVariable : '--token'
  const setting = options['token'] ?? env[tokenVariable] ?? ''
  if (setting === '') {
    throw new UsageError(
      `Which admin token? Set ${tokenVariable}, or write --token file:/path or --token env:NAME. \`${programName()} admin-tokens create\` makes one.`,
    )
  }
  const problems: Problem[] = []
  const token = resolveSecret(setting, source, env, problems)
  if (token === undefined) throw new UsageError(`${source}: ${problems[0]?.message}.`)
  if (base.protocol === 'https:' || options['insecure'] !== undefined) return { base, token }
  if (isLoopbackHost(base.hostname)) return { base, token }
  throw new UsageError(
    `Over http, others on the way to ${base.host} could read the admin token. Use https, a tunnel to 127.0.0.1, or --insecure in a network that you trust.`,
  )
}

/** The URL itself may contain a secret, so that no message repeats it. */
function baseOf(text: string): URL {
  const url = URL.parse(text)
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `The URL of a gateway is the URL of its admin address, without a user and a query: http://127.0.0.1:8788.`,
    )
  }
  url.pathname = `${url.pathname.replace(/\/(?:graphql)?\/*$/, '')}/`
  return url
}
