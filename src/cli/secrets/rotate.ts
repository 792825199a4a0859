import { type Resealed, resealAccounts } from '../../configuration/reseal-accounts.ts'
import { CommandError, type Invocation } from '../command.ts'
import { sealerOf } from '../accounts/stored.ts'
import { actOnStore } from '../audit/act.ts'
import { mayContainRecords, readForStore } from '../use-store.ts'

/** `dragoman secrets rotate`: seals all secrets of the store with the newest key. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const configuration = await readForStore(invocation)
  if (!mayContainRecords(configuration)) {
    terminal.say('The store has no secrets.')
    return 0
  }
  const result = await actOnStore(configuration, rotation, (store) => {
    const sealer = sealerOf(store, terminal.env)
    if (sealer.hasKey) return resealAccounts(store, sealer)
    throw new CommandError(
      'There is no key to seal with: set DRAGOMAN_SECRET_KEY to the new key, a comma, and the keys until now.',
    )
  })
  const { resealed, current, closed } = result
  if (options['json'] !== undefined) terminal.out(JSON.stringify(result))
  terminal.say(
    `${resealed.length} secrets are sealed with the newest key, as ${current.length} were before.`,
  )
  if (closed.length === 0) return 0
  terminal.say(`These accounts have secrets that do not open: ${closed.join(', ')}. Keep all keys.`)
  return 1
}

/** The rotation, for its audit record: how many secrets, and of which accounts those that do not open. */
const rotation = {
  action: 'secrets.rotate',
  target: { type: 'secrets', id: 'all' },
  after: ({ resealed, current, closed }: Resealed) => ({
    resealed: resealed.length,
    current: current.length,
    closed,
  }),
}
