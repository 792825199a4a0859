import { bootstrapKeyId, ensureBootstrapKey, type Bootstrap } from '../configuration/first-run.ts'
import type { Environment } from '../configuration/secrets.ts'
import type { Store } from '../stores/store.ts'
import { curls } from './curls.ts'
import { programName } from './program-name.ts'

/** Makes the first API key where there is none, and tells a newcomer how to go on. */
export async function welcome(
  store: Store,
  environment: Environment,
): Promise<(url: string) => string> {
  const program = programName(environment)
  const bootstrap = await ensureBootstrapKey(store)
  return (url) =>
    [
      '',
      'There is no configuration here, so the models are those of the sandbox (sandbox/*) and of the',
      'provider keys in the environment.',
      '',
      ...aboutKey(bootstrap, program),
      '',
      ...curls(url, bootstrap.state === 'created' ? bootstrap.secret : '$DRAGOMAN_KEY'),
    ].join('\n')
}

function aboutKey(bootstrap: Bootstrap, program: string): string[] {
  if (bootstrap.state === 'created') {
    return [
      'This is your API key. It is shown this once:',
      '',
      `  export DRAGOMAN_KEY=${bootstrap.secret}`,
    ]
  }
  if (bootstrap.state === 'exists') {
    return [
      `The API key "${bootstrapKeyId}" was shown when it was made; export it as DRAGOMAN_KEY.`,
      `If it is lost, give it a new secret: ${program} keys rotate ${bootstrapKeyId}`,
    ]
  }
  if (bootstrap.state === 'revoked') {
    return [
      `The API key "${bootstrapKeyId}" is revoked. Issue another and export it as DRAGOMAN_KEY:`,
      `  ${program} keys create`,
    ]
  }
  return [`Export one of your API keys as DRAGOMAN_KEY; \`${program} keys list\` shows their ids.`]
}
