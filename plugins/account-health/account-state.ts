import type { Log } from '../../src/lib/log.ts'
import { RecentMap } from '../../src/lib/recent-map.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import { Circuit } from './circuit.ts'
import { type CheckServices, CredentialChecks } from './credential.ts'
import type { Hold } from './hold.ts'
import { Refusals } from './refusals.ts'
import { Rests } from './rests.ts'
import { Silence } from './silence.ts'

/** Models per account whose states are known: of those that have answered, and of others. Callers name them. */
const mostModels = 1_000

/** What holds calls back of a part of an account. */
interface PartHold extends Hold {
  /** The only dialect that it concerns. */
  readonly dialect?: string
  /** The failed calls behind a circuit. */
  readonly failures?: ReturnType<Circuit['failuresOf']>
}

/** The health of an account as a whole, or of one of its models, by the account's own name. */
export class PartState {
  readonly refusals = new Refusals()
  readonly rests = new Rests()
  readonly silence = new Silence()
  /** By the ids of dialects: an account has an address for each. */
  readonly circuits = new Map<string, Circuit>()
  /** When the model last began an answer, on the clock of attempts. */
  answeredAt = -Infinity
  /** Whether the model has answered: a refusal of a call to it is then about the call. */
  #hasAnswered = false
  /** The key of the last call that was refused since the last answer. */
  #refusedKey: string | undefined

  addAnswer(): void {
    this.#hasAnswered = true
    this.#refusedKey = undefined
  }

  /**
   * Records a refusal of a call. Returns whether the model is known to answer all the same: refusals of two keys
   * without an answer between them end that.
   */
  answersAfterRefusal(keyId: string): boolean {
    if (this.#hasAnswered && this.#refusedKey !== undefined && this.#refusedKey !== keyId) {
      this.#hasAnswered = false
    }
    this.#refusedKey = keyId
    return this.#hasAnswered
  }

  /** All that holds calls back at a time, with the dialect that it concerns. */
  *holds(now: number): Generator<PartHold> {
    const refusal = this.refusals.at(now)
    if (refusal) yield refusal
    yield* this.rests.all(now)
    for (const [dialect, circuit] of this.circuits) {
      for (const gate of circuit.gates(now)) {
        const hold = gate.hold(now)
        if (hold) yield { ...hold, dialect, failures: circuit.failuresOf(gate) }
      }
    }
  }
}

/** All that is known of one account. A changed configuration starts with an empty record. */
export class AccountState {
  /** The account's credential, credit and connections. */
  readonly whole = new PartState()
  readonly checks: CredentialChecks
  /** Whether it has ever failed, refused or limited calls. */
  hasFaults = false
  readonly #models = new RecentMap<PartState>(mostModels)
  /** The models that have answered: only other models that answer displace them, not the names that callers make up. */
  readonly #answered = new RecentMap<PartState>(mostModels)
  readonly #log: Log

  constructor(log: Log, services: CheckServices) {
    this.#log = log
    this.checks = new CredentialChecks(services, this.whole.refusals)
  }

  /** The state of a model; `undefined` if it was never asked. */
  knownModel(name: string): PartState | undefined {
    return this.#answered.get(name) ?? this.#models.get(name)
  }

  /** The same as `knownModel`, created if necessary. */
  model(name: string): PartState {
    let part = this.knownModel(name)
    if (!part) this.#models.set(name, (part = new PartState()))
    return part
  }

  /** Records that a model has answered. */
  addAnswer(name: string, part: PartState): void {
    part.addAnswer()
    if (this.#answered.get(name)) return
    this.#answered.set(name, part)
    this.#models.delete(name)
  }

  /** The circuit of a part for the dialect of a candidate, created if necessary. */
  circuit(
    part: PartState,
    { account, dialect: { id: family }, upstreamModel }: Candidate,
  ): Circuit {
    let circuit = part.circuits.get(family)
    if (circuit) return circuit
    const fields = {
      account: account.id,
      family,
      ...(part !== this.whole && { model: upstreamModel }),
    }
    circuit = new Circuit((level, message, { keyId }) =>
      this.#log[level](message, { ...fields, ...(keyId !== undefined && { key: keyId }) }),
    )
    part.circuits.set(family, circuit)
    return circuit
  }

  /** The account as a whole, with the name `undefined`, and its models. */
  parts(): [name: string | undefined, part: PartState][] {
    const parts: [string | undefined, PartState][] = [[undefined, this.whole]]
    for (const models of [this.#answered, this.#models]) {
      models.forEach((part, name) => parts.push([name, part]))
    }
    return parts
  }
}
