import type { Environment } from '../configuration/secrets.ts'

/**
 * What a person types before a command, for hints: `npm start --` in a checkout, where there is no
 * program of the name. npm tells how it was asked for one in `npm_lifecycle_event`.
 */
export function programName(
  environment: Environment = process.env,
  script: string | undefined = process.argv[1],
): string {
  const asked = environment['npm_lifecycle_event']
  const isCheckout = /[\\/]src[\\/]cli[\\/]main\.ts$/.test(script ?? '')
  if (asked === 'start' || isCheckout) return 'npm start --'
  return asked === 'npx' ? 'npx dragoman' : 'dragoman'
}
