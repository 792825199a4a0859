import { type MeterReply, createMeter } from '../meter-wire.ts'
import type { Meter } from '../meter.ts'
import type { RedisConnection } from './connect.ts'
import { meterScript } from './meter-script.ts'
import { prepareScript } from './run-script.ts'

const run = prepareScript(meterScript)

/**
 * A meter on Redis. `prefix`: the beginning of its keys; those of a subject share a hash tag. `now`: by default the
 * clock of the server.
 */
export function redisMeter(
  connection: Pick<RedisConnection, 'send'>,
  prefix: string,
  now: () => number = () => 0,
): Meter {
  return createMeter(async (operation) => {
    const hash = `${prefix}{meter:${operation[2]}}`
    const keys = [hash, `${hash}#due`] as const
    return (await run(connection, keys, JSON.stringify(operation))) as MeterReply
  }, now)
}
