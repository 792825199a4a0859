import { setAccountEnabled } from '../../stores/account-states.ts'
import type { Invocation } from '../command.ts'
import { actOnStore } from '../audit/act.ts'
import { assertStorePersists, readForStore } from '../use-store.ts'
import { isRemote } from '../remote/address.ts'
import { describeAccount } from './describe.ts'
import { findAccount } from './read.ts'

/** `dragoman accounts disable ID`. */
export async function run(invocation: Invocation): Promise<number> {
  if (isRemote(invocation)) return (await import('./remote.ts')).disableAccount(invocation)
  const { terminal, options } = invocation
  const configuration = await readForStore(invocation)
  const account = await findAccount(invocation, configuration, 'accounts disable')
  assertStorePersists(configuration, 'set enabled: false for the account in the configuration')
  const act = {
    action: 'account.disable',
    target: { type: 'account', id: account.id },
    after: { enabled: false },
    reason: options['reason'],
  }
  const state = await actOnStore(configuration, act, (store) =>
    setAccountEnabled(store, account.id, false, options['reason']),
  )
  if (options['json'] !== undefined) terminal.out(JSON.stringify(describeAccount(account, state)))
  terminal.say(
    `The account "${account.id}" is disabled. Running gateways stop using it within two seconds; exchanges in flight end normally.`,
  )
  return 0
}
