import type { AccountExclusion, AccountStateName } from '../../accounts/looks.ts'
import { exclusionSentence } from '../../accounts/sentences.ts'
import { counted } from '../../format/numbers.ts'
import { sentence } from '../../format/words.ts'
import type { OneAccount } from './types.ts'

/** An act that opens a gate. */
export type GateAct = 'enable' | 'tryNow' | 'endPause' | 'resetCircuit'

/**
 * A gate between a call and the account. `open`: calls pass. `partly`: some do. `shut`: none does. `unreached`: a gate
 * before it is shut. `note`: it lets calls pass in its own order.
 */
export interface Gate {
  readonly id: string
  readonly name: string
  readonly state: 'open' | 'partly' | 'shut' | 'unreached' | 'note'
  readonly words: string
  /** When it is tried again. */
  readonly until?: string | undefined
  /** The calls that shut it, the newest first. */
  readonly failures?: readonly GateFailure[]
  readonly act?: GateAct
  /** Whether an operator has shut it, in the store that all processes follow. */
  readonly isOfRecord?: boolean
}

type GateExclusion = OneAccount['exclusions'][number]
type GateFailure = GateExclusion['failures'][number]

/** The gates of an account, in the order in which the gateway asks them, but for the last: whether it is chosen. */
export function gatesOf(account: OneAccount): readonly Gate[] {
  const of = (kind: AccountExclusion['kind']) =>
    account.exclusions.filter((one) => one.kind === kind)
  const isOfRoom = ({ by }: AccountExclusion) => by === 'concurrency'
  const others = of('OTHER').filter((one) => !isOfRoom(one))
  return [
    switchGate(account),
    recordGate(account),
    gateOf(account, of('REFUSED'), {
      id: 'credential',
      name: 'Its credential is accepted',
      open: account.credential.isSet
        ? 'No refusal is known.'
        : 'None is set, and no refusal is known.',
      shutAs: 'REFUSED',
      act: 'tryNow',
    }),
    gateOf(account, of('COOLING'), {
      id: 'cooling',
      name: 'It is not cooling',
      open: 'No pause is in force.',
      shutAs: 'COOLING',
      act: 'endPause',
    }),
    gateOf(account, of('CIRCUIT'), {
      id: 'circuits',
      name: 'No circuit is open',
      open: 'None, in any dialect.',
      shutAs: 'CIRCUIT_OPEN',
      act: 'resetCircuit',
    }),
    ...(others.length > 0
      ? [
          gateOf(account, others, {
            id: 'plugins',
            name: 'No plugin keeps it out',
            open: 'None does.',
            shutAs: 'EXCLUDED',
          }),
        ]
      : []),
    roomGate(account, of('OTHER').filter(isOfRoom)),
  ]
}

function switchGate({ enabled, stateReason, state }: OneAccount): Gate {
  const gate = { id: 'switch', name: 'It is enabled' }
  if (enabled) return { ...gate, state: 'open', words: 'Nobody has disabled it.' }
  const words = (state === 'DISABLED' && stateReason) || 'It is disabled.'
  const isOfRecord = words.startsWith('an operator')
  return { ...gate, state: 'shut', words: sentence(words), act: 'enable', isOfRecord }
}

function recordGate({ problems, managedBy, state }: OneAccount): Gate {
  const gate = { id: 'record', name: 'Its record is sound' }
  const from = managedBy === 'FILE' ? 'From the configuration file.' : 'From the store.'
  const [problem] = problems
  if (!problem) return { ...gate, state: 'open', words: from }
  const words = `${sentence(problem.message)} ${sentence(problem.fix)}`.trim()
  return { ...gate, state: state === 'INVALID' ? 'shut' : 'partly', words }
}

interface GateWords extends Pick<Gate, 'id' | 'name'> {
  /** What an open gate says. */
  readonly open: string
  /** The state of an account that this gate keeps from all calls. */
  readonly shutAs: AccountStateName
  readonly act?: GateAct
}

function gateOf(
  { provider, state, serves }: OneAccount,
  exclusions: readonly GateExclusion[],
  { open, shutAs, act, ...gate }: GateWords,
): Gate {
  const [first] = exclusions
  if (!first) return { ...gate, state: 'open', words: open }
  const same = exclusions.filter(({ reason }) => reason === first.reason)
  return {
    ...gate,
    state: serves === 'NOTHING' && state === shutAs ? 'shut' : 'partly',
    words: exclusionSentence(provider, first, same),
    until: first.until ?? undefined,
    failures: lastFailures(exclusions),
    ...(act && { act }),
  }
}

/** So many failed calls are named. */
const mostFailures = 3

/** The failed calls behind exclusions, each once: one call may be behind several, in several processes. */
function lastFailures(exclusions: readonly GateExclusion[]): readonly GateFailure[] {
  const all = new Map(
    exclusions.flatMap(({ failures }) => failures.map((one) => [one.exchangeId, one])),
  )
  return [...all.values()]
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .slice(0, mostFailures)
}

function roomGate({ inFlight, transport }: OneAccount, full: readonly AccountExclusion[]): Gate {
  const most = transport?.maxConcurrent
  const gate = { id: 'room', name: 'It has room' }
  const calls = `${counted(inFlight, 'call')} in flight`
  if (full.length > 0)
    return {
      ...gate,
      state: 'shut',
      words: `${calls}, at its most of ${most ?? 'all'} for each process.`,
    }
  const limit = typeof most === 'number' ? `of at most ${most} for each process` : 'without a limit'
  return { ...gate, state: 'open', words: `${calls}, ${limit}.` }
}
