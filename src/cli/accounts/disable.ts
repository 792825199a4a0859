import { setAccountEnabled } from '../../stores/account-states.ts'
import type { Invocation } from '../command.ts'
import { actOnStore, beforeActing } from '../audit/act.ts'
import { assertStorePersists, readForStore } from '../use-store.ts'
import { isRemote } from '../remote/address.ts'
import { requireId } from '../operand.ts'
import { describeAccount } from './describe.ts'
import { findAccount, switchedBefore } from './read.ts'

/** `dragoman accounts disable ID`. */
export async function run(invocation: Invocation): Promise<number> {
  if (isRemote(invocation)) return (await import('./remote.ts')).disableAccount(invocation)
  const { terminal, options } = invocation
  const configuration = await readForStore(invocation)
  const id = requireId(invocation, 'account', 'accounts disable')
  const reason = options['reason']
  const named = { action: 'account.disable', target: { type: 'account', id }, reason }
  const account = await beforeActing(configuration, named, () =>
    findAccount(invocation, configuration, id),
  )
  assertStorePersists(configuration, 'set enabled: false for the account in the configuration')
  const before = await switchedBefore(configuration, account)
  const act = { ...named, before, after: { enabled: false } }
  const state = await actOnStore(configuration, act, (store) =>
    setAccountEnabled(store, id, false, reason),
  )
  if (options['json'] !== undefined) terminal.out(JSON.stringify(describeAccount(account, state)))
  terminal.say(
    `The account "${id}" is disabled. Running gateways stop using it within two seconds; exchanges in flight end normally.`,
  )
  return 0
}
