import type { Account } from '../../src/contract/account.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { CircuitLog } from './circuit-log.ts'
import type { CircuitChange } from './change.ts'
import { Circuit } from './circuit.ts'
import type { CircuitSettings } from './options.ts'

type ByDialect = Map<string, Circuit>

/** The circuits of all accounts, one for each dialect. Counts those that are not closed, and logs their changes. */
export class Circuits {
  readonly #settings: CircuitSettings
  readonly #random: () => number
  readonly #log: CircuitLog
  readonly #all = new WeakMap<Account, ByDialect>()
  #unhealthy = 0
  /** Accounts that a configuration no longer has take their open circuits with them. */
  readonly #gone = new FinalizationRegistry<ByDialect>((circuits) => {
    for (const circuit of circuits.values()) if (!circuit.isClosed) this.#unhealthy--
  })

  constructor(settings: CircuitSettings, random: () => number, log: CircuitLog) {
    this.#settings = settings
    this.#random = random
    this.#log = log
  }

  /** The number of circuits that are not closed. */
  get unhealthy(): number {
    return this.#unhealthy
  }

  /** The circuits of an account by their dialects; `undefined` if it has none yet. */
  known(account: Account): ReadonlyMap<string, Circuit> | undefined {
    return this.#all.get(account)
  }

  /** The circuit of a candidate. */
  of({ account, dialect }: Candidate): Circuit {
    let byDialect = this.#all.get(account)
    if (!byDialect) {
      this.#all.set(account, (byDialect = new Map()))
      this.#gone.register(account, byDialect)
    }
    let circuit = byDialect.get(dialect.id)
    if (!circuit) {
      byDialect.set(dialect.id, (circuit = new Circuit(this.#settings, this.#random)))
    }
    return circuit
  }

  /** Counts and logs a change of a circuit. */
  follow(
    candidate: Candidate,
    circuit: Circuit,
    wasClosed: boolean,
    change: CircuitChange | undefined,
  ): void {
    this.#unhealthy += Number(wasClosed) - Number(circuit.isClosed)
    if (!change) return
    if ('closed' in change) this.#log.closed(candidate, change.closed)
    else this.#log.opened(candidate, circuit, change)
  }

  /** Forgets the gates of keys that have not returned. The caller counts the change with `follow`. */
  expire(candidate: Candidate, circuit: Circuit, now: number): void {
    for (const gate of circuit.expire(now)) this.#log.expired(candidate, gate)
  }

  /** Closes a circuit without a probe. Returns whether it was not closed. */
  reset(circuit: Circuit): boolean {
    if (!circuit.reset()) return false
    this.#unhealthy--
    return true
  }
}
