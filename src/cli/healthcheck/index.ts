import type { Invocation } from '../command.ts'
import { gatewayAddress } from './address.ts'
import { askProbe } from './ask.ts'

/**
 * `dragoman healthcheck`: 0 if the gateway answers its probe with 200 within two seconds. A container
 * runs it every few seconds, so that it loads next to nothing of the gateway.
 */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const base = await gatewayAddress(invocation)
  const path = options['ready'] === undefined ? 'livez' : 'readyz'
  const probe = new URL(`${base.href.replace(/\/*$/, '/')}${path}`)
  const { isHealthy, message } = await askProbe(probe)
  if (isHealthy) terminal.out(message)
  else terminal.say(`dragoman: ${message}`)
  return isHealthy ? 0 : 1
}
