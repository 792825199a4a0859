import { type MeterState } from '../../src/stores/meter.ts'
import { refusalIn } from '../../src/stores/meter-rules.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import type { CallMeter, Take } from './call-meter.ts'
import { refusal } from './errors.ts'
import type { Wanted } from './takes.ts'

/** The limit that would refuse a call, and its state. */
type Forecast = Parameters<typeof refusal>[0]

/** The first limit of a subject that would refuse its takes now; `undefined`: none would. Nothing is taken. */
export async function forecast(
  { subject, takes }: Wanted,
  meter: Pick<CallMeter, 'read'>,
  now: number,
): Promise<Forecast | undefined> {
  const states = await readAll(subject, takes, meter)
  for (const [index, take] of takes.entries()) {
    const { limit, meter: asked, amount, floor } = take
    const state = states[index]
    const refused = state && refusalIn({ limit: asked, amount, floor }, state, now)
    if (refused) return { limit, amount: asked.amount, state, retryAfterMs: undefined, ...refused }
  }
  return undefined
}

/** Rejects with the error of a call that a limit would refuse now. */
export async function forecastAll(
  wanted: readonly Wanted[],
  meter: Pick<CallMeter, 'read'>,
  now: number,
): Promise<void> {
  const all = await Promise.all(wanted.map((one) => forecast(one, meter, now)))
  const refused = all.find((one) => one !== undefined)
  if (refused) throw refusal(refused)
}

/** The states of limits; empty while the store is away. */
async function readAll(
  subject: string,
  takes: readonly Take[],
  meter: Pick<CallMeter, 'read'>,
): Promise<readonly MeterState[]> {
  try {
    return await meter.read(
      subject,
      takes.map(({ meter: asked }) => asked),
    )
  } catch (error) {
    if (error instanceof StoreUnavailable) return []
    throw error
  }
}
