import { type Bootstrap, bootstrapKeyId, ensureBootstrapKey } from '../configuration/first-run.ts'
import type { EnvironmentVariables } from '../configuration/secrets.ts'
import type { Store } from '../stores/store.ts'
import { audited, gatewayItself } from './audit/act.ts'
import type { CommandOptions } from './command.ts'
import { curlExamples } from './curl-examples.ts'
import { programName, sameGateway } from './hints.ts'

/**
 * Issues the first API key if the store has no key. Resolves with a function that makes the message of
 * a first run from the gateway's URL. Rejects with `StoreUnavailable`; a key without an audit record is not
 * issued.
 */
export async function welcome(
  store: Store,
  environment: EnvironmentVariables,
  options: CommandOptions,
): Promise<(url: string) => string> {
  const keys = { command: `${programName(environment)} keys`, flags: sameGateway(options) }
  const bootstrap = await ensureBootstrapKey(store, (create) =>
    audited(store, creation, create, gatewayItself),
  )
  return (url) =>
    [
      '',
      'No configuration found. The models come from the sandbox (sandbox/*) and from the provider',
      'keys in the environment.',
      '',
      ...describeKey(bootstrap, keys),
      '',
      ...curlExamples(url, bootstrap.state === 'created' ? bootstrap.secret : '$DRAGOMAN_KEY'),
    ].join('\n')
}

/** The act of a first start, for its audit record. */
const creation = {
  action: 'key.create',
  target: { type: 'key', id: bootstrapKeyId },
  reason: 'The first start issues a key.',
}

function describeKey(
  bootstrap: Bootstrap,
  { command, flags }: { command: string; flags: string },
): string[] {
  if (bootstrap.state === 'created') {
    return [
      'This is your API key. It is shown only once:',
      '',
      `  export DRAGOMAN_KEY=${bootstrap.secret}`,
    ]
  }
  if (bootstrap.state === 'exists') {
    return [
      `The API key "${bootstrapKeyId}" was shown when it was issued; export it as DRAGOMAN_KEY.`,
      `If it is lost, issue a new secret: ${command} rotate ${bootstrapKeyId}${flags}`,
    ]
  }
  if (bootstrap.state === 'revoked') {
    return [
      `The API key "${bootstrapKeyId}" is revoked. Issue another and export it as DRAGOMAN_KEY:`,
      `  ${command} create${flags}`,
    ]
  }
  return [
    `Export one of your API keys as DRAGOMAN_KEY; \`${command} list${flags}\` shows their ids.`,
  ]
}
