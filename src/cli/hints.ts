import type { EnvironmentVariables } from '../configuration/secrets.ts'
import type { CommandOptions } from './command.ts'

/**
 * The options that a suggested command needs to address the same gateway: ` --config FILE`, ` --store URL` and
 * ` --url URL` as in `options`, or an empty string.
 */
export function sameGateway(options: CommandOptions): string {
  const { config, store, url } = options
  return [
    config === undefined ? '' : ` --config ${shellQuote(config)}`,
    store === undefined ? '' : ` --store ${shellQuote(withoutLogin(store))}`,
    url === undefined ? '' : ` --url ${shellQuote(url)}`,
  ].join('')
}

/** The URL of a store without its credentials. */
export function withoutLogin(store: string): string {
  return store.replace(/^([a-z+]+:\/\/)[^@/]*@/, '$1...@')
}

/** Quotes a word for a POSIX shell where necessary. */
export function shellQuote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * The program name for hints: `npm start --` in a checkout, `npx dragoman` under npx, otherwise
 * `dragoman`. npm names its running script in the variable `npm_lifecycle_event`.
 */
export function programName(
  environment: EnvironmentVariables = process.env,
  script: string | undefined = process.argv[1],
): string {
  const npmScript = environment['npm_lifecycle_event']
  const isCheckout = /[\\/]src[\\/]cli[\\/]main\.ts$/.test(script ?? '')
  if (npmScript === 'start' || isCheckout) return 'npm start --'
  return npmScript === 'npx' ? 'npx dragoman' : 'dragoman'
}
