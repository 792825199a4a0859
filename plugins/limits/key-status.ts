import { defineDialect } from '../../src/contract/dialect.ts'
import type { Authenticated } from '../../src/contract/exchange.ts'
import { defineOperation } from '../../src/contract/operation.ts'
import type { Limit } from '../../src/contract/quota.ts'
import type { LimitSet, SubjectLimits } from '../../src/limits/limit-set.ts'
import { meterLimitOf } from '../../src/limits/meter-limit.ts'
import { bearer, firstCredential, xApiKey, xGoogApiKey } from '../../src/kit/credential.ts'
import { errorEnvelope } from '../../src/kit/error-envelope.ts'
import type { KeyRing } from '../../src/stores/key-ring.ts'
import type { Meter, MeterState } from '../../src/stores/meter.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { shownAmount, unavailable } from './errors.ts'

/** What a key may learn about itself. */
interface KeyStatusOptions {
  readonly limits: LimitSet
  readonly meter: Pick<Meter, 'read'>
  readonly keys: Pick<KeyRing, 'find'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Serves `GET /dragoman/key`: a key's models, its expiry, and its limits with their remaining amounts. */
export function keyStatusDialect(options: KeyStatusOptions) {
  const status = defineOperation({
    id: 'limits.key',
    method: 'GET',
    paths: ['/dragoman/key'],
    auth: 'key',
    summary: 'The models, the expiry and the limits of the API key',
    async serve(exchange) {
      const body = await statusOf(exchange as Authenticated, options)
      return {
        status: 200,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
        body: JSON.stringify(body),
      }
    },
  })
  return defineDialect({
    id: 'limits',
    credential: (request) => firstCredential(request, [bearer, xApiKey, xGoogApiKey]),
    error: errorEnvelope,
    operations: [status],
  })
}

async function statusOf(
  { caller, credential, snapshot }: Authenticated,
  { limits, meter, keys, now }: KeyStatusOptions,
) {
  const at = now()
  const key = credential === undefined ? undefined : keys.find(credential)
  const readAll = async ({ name, limits: all }: SubjectLimits) => {
    const asked = all.map((limit) => meterLimitOf(limit, at, limits))
    // What an end user has spent is known with a request of that user only.
    const own = asked.filter((_, index) => !all[index]!.per)
    const states = own.length === 0 ? [] : await meter.read(name, own)
    return all.map((limit, index) => {
      const one = asked[index]!
      return shownLimit(limit, one.amount, limit.per ? undefined : states[own.indexOf(one)])
    })
  }
  // What all others spend of the limits of the gateway is no business of a key.
  const subjects = limits.ofCaller(caller)?.filter(({ subject }) => subject.type !== 'gateway')
  try {
    const shown = await Promise.all((subjects ?? []).map(readAll))
    return {
      id: caller.keyId,
      team: caller.team ?? null,
      models: (!caller.teamModels && caller.models) || namesOf(snapshot.modelNames, caller),
      expiresAt: key?.expiresAt === undefined ? null : new Date(key.expiresAt).toISOString(),
      limits: shown.flat(),
    }
  } catch (error) {
    throw error instanceof StoreUnavailable ? unavailable() : error
  }
}

function namesOf(all: readonly string[], { mayUse }: Authenticated['caller']): readonly string[] {
  const permitted = all.filter((name) => mayUse(name))
  return permitted.length === all.length ? ['*'] : permitted
}

function shownLimit(limit: Limit, amount: number, state: MeterState | undefined) {
  const { kind, window = null, subject, models, per, action } = limit
  const shown = (value: number | undefined) =>
    value === undefined ? null : shownAmount(kind, value)
  return {
    subject: subject.type,
    kind,
    window,
    ...(models && { models }),
    ...(per && { per }),
    ...(action === 'warn' && { action }),
    amount: shown(amount),
    spent: shown(state?.spent),
    held: shown(state?.held),
    remaining: shown(state?.remaining),
    resetsAt: state?.resetsAt === undefined ? null : new Date(state.resetsAt).toISOString(),
  }
}
