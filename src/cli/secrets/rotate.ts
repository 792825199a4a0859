import { type Resealed, resealAccounts } from '../../configuration/reseal-accounts.ts'
import type { EnvironmentVariables } from '../../configuration/secrets.ts'
import type { Store } from '../../stores/store.ts'
import { CommandError, type Invocation } from '../command.ts'
import { audited, commandLine } from '../audit/act.ts'
import { sealerOf } from '../stored-records.ts'
import { mayContainRecords, readForStore, useStore } from '../use-store.ts'

/** `dragoman secrets rotate`: seals all secrets of the store with the newest key. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const configuration = await readForStore(invocation)
  if (!mayContainRecords(configuration)) {
    terminal.say('The store has no secrets.')
    return 0
  }
  const result = await useStore(configuration, (store) =>
    audited(store, rotation, () => reseal(store, terminal.env), commandLine()),
  )
  const { resealed, current, closed, contested } = result
  if (options['json'] !== undefined) terminal.out(JSON.stringify(result))
  terminal.say(
    `${resealed.length} secrets are sealed with the newest key, as ${current.length} were before.`,
  )
  if (resealed.length > 0)
    terminal.say(
      'A gateway that started without the newest key goes on sealing with a former one: run this again when all have it, before you remove the former keys.',
    )
  if (contested.length > 0)
    terminal.say(
      `Gateways without the newest key change these accounts meanwhile: ${contested.join(', ')}. Run this again.`,
    )
  if (closed.length === 0) return contested.length === 0 ? 0 : 1
  terminal.say(`These accounts have secrets that do not open: ${closed.join(', ')}. Keep all keys.`)
  return 1
}

/** Rejects with `CommandError` if there is no key. */
async function reseal(store: Store, env: EnvironmentVariables): Promise<Resealed> {
  const sealer = sealerOf(store, env)
  if (sealer.hasKey) return await resealAccounts(store, sealer)
  throw new CommandError(
    'There is no key to seal with: set DRAGOMAN_SECRET_KEY to the new key, a comma, and the keys until now.',
  )
}

/** The audit record of a rotation: the numbers of secrets, and the accounts whose secrets could not be sealed again. */
const rotation = {
  action: 'secrets.rotate',
  target: { type: 'secrets', id: 'all' },
  after: ({ resealed, current, closed, contested }: Resealed) => ({
    resealed: resealed.length,
    current: current.length,
    closed,
    contested,
  }),
  failure: ({ resealed, closed, contested }: Resealed) =>
    resealed.length === 0 && closed.length + contested.length > 0
      ? 'No secret was sealed again.'
      : undefined,
}
