import type { Invocation } from '../command.ts'
import { limitOf } from '../print-list.ts'
import { isRemote } from '../remote/address.ts'
import { readForStore } from '../use-store.ts'
import { accountTable, describeAccount, storedStateNames } from './describe.ts'
import { accountFilterOf } from './filter.ts'
import { allAccounts, keptOut, storedStates } from './read.ts'

/** `dragoman accounts list`. */
export async function run(invocation: Invocation): Promise<number> {
  if (isRemote(invocation)) return (await import('./remote.ts')).listAccounts(invocation)
  const { terminal, options } = invocation
  const limit = limitOf(invocation)
  const { provider, state } = accountFilterOf(invocation, storedStateNames)
  const configuration = await readForStore(invocation)
  const states = await storedStates(configuration)
  const { out, isComplete } = await keptOut(configuration)
  const known = await allAccounts(configuration, invocation)
  const accounts = known
    .map((one) => describeAccount(one, states.get(one.id), out.get(one.id)))
    .filter((one) => provider === undefined || one.provider === provider)
    .filter((one) => state === undefined || one.state === state)
    .slice(0, limit)
  if (!isComplete) terminal.say('Not all of what keeps accounts out is known: see the admin API.')
  if (options['json'] !== undefined) terminal.out(JSON.stringify(accounts))
  else if (accounts.length > 0) terminal.out(accountTable(accounts).join('\n'))
  else if (known.length > 0) terminal.say('No accounts match.')
  else terminal.say('No accounts exist. Add them to accounts in the configuration.')
  return 0
}
