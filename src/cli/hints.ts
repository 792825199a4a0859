import type { EnvironmentVariables } from '../configuration/secrets.ts'
import type { CommandOptions } from './command.ts'

/**
 * What a hint to another command has to repeat, so that it works on the same gateway: ` --config FILE`
 * and ` --store URL` as they were typed, or nothing.
 */
export function sameGateway(options: CommandOptions): string {
  const { config, store } = options
  return [
    config === undefined ? '' : ` --config ${typed(config)}`,
    store === undefined ? '' : ` --store ${typed(withoutLogin(store))}`,
  ].join('')
}

/** The URL of a store, without the password that that of a Redis may hold. */
export function withoutLogin(store: string): string {
  return store.replace(/^([a-z+]+:\/\/)[^@/]*@/, '$1...@')
}

/** As a POSIX shell takes it for one word. */
function typed(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * What a person types before a command, for hints: `npm start --` in a checkout, where there is no
 * program of the name. npm tells how it was asked for one in `npm_lifecycle_event`.
 */
export function programName(
  environment: EnvironmentVariables = process.env,
  script: string | undefined = process.argv[1],
): string {
  const asked = environment['npm_lifecycle_event']
  const isCheckout = /[\\/]src[\\/]cli[\\/]main\.ts$/.test(script ?? '')
  if (asked === 'start' || isCheckout) return 'npm start --'
  return asked === 'npx' ? 'npx dragoman' : 'dragoman'
}
