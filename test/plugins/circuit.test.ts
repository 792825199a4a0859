import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { Circuit } from '../../plugins/account-health/circuit.ts'
import type { Evidence } from '../../plugins/account-health/recent-attempts.ts'
import type { AttemptId } from '../../plugins/account-health/gate.ts'

const begin = 1_800_000_000_000
const some: AttemptId = { exchangeId: 'req_some', attempt: 1, keyId: undefined }
const probe: AttemptId = { exchangeId: 'req_probe', attempt: 2, keyId: undefined }
const failure: Evidence = { cause: 'got 500' }

/** Without jitter, unless a test wants some. */
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0.5))
afterEach(() => void vi.restoreAllMocks())

/** A circuit, and the lines about it. */
function newCircuit() {
  const lines: string[] = []
  const circuit = new Circuit((_level, line) => void lines.push(line))
  const hold = (now: number) => circuit.gateOf(undefined, now)?.hold(now)
  return {
    lines,
    record: circuit.record.bind(circuit),
    state(now: number) {
      const isProbing = hold(now)?.isProbing
      return isProbing === undefined ? 'closed' : isProbing ? 'half-open' : 'open'
    },
    openUntil: () => hold(begin)?.until,
    reason: () => hold(begin)?.cause,
    /** Makes an attempt the probe, if the circuit needs one. */
    takeProbe(attempt: AttemptId, now: number): boolean {
      const gate = circuit.gateOf(undefined, now)
      if (!gate?.hold(now)?.isProbing || gate.keepsOut(attempt.keyId, now)) return false
      circuit.probe(gate, attempt, now)
      return true
    },
  }
}

type TestCircuit = ReturnType<typeof newCircuit>

function recordAll(circuit: TestCircuit, evidence: readonly Evidence[], now = begin): void {
  for (const one of evidence) circuit.record(one, some, now)
}

const takeProbe = (circuit: TestCircuit, attempt: AttemptId, now: number) =>
  circuit.takeProbe(attempt, now)

const times = (count: number, evidence: Evidence) => Array<Evidence>(count).fill(evidence)

function openCircuit(): TestCircuit {
  const circuit = newCircuit()
  recordAll(circuit, times(5, failure))
  return circuit
}

describe('a closed circuit', () => {
  test('opens with the fifth failure in a row', () => {
    const circuit = newCircuit()
    recordAll(circuit, times(4, failure))
    expect(circuit.state(begin)).toBe('closed')

    circuit.record(failure, some, begin)

    expect(circuit.state(begin)).toBe('open')
    expect(circuit.openUntil()).toBe(begin + 10_000)
    expect(circuit.reason()).toBe('5 of 5 calls got 500')
    expect(circuit.lines).toEqual(['circuit opened: 5 of 5 calls got 500'])
  })

  test('forgets a row of failures with a success, but not for what says nothing', () => {
    const circuit = newCircuit()
    recordAll(circuit, [...times(4, failure), 'success', ...times(4, failure)])
    expect(circuit.state(begin)).toBe('closed')

    recordAll(circuit, [...times(100, 'neutral'), failure])

    expect(circuit.state(begin)).toBe('open')
  })

  test('opens when half of twenty attempts have failed', () => {
    const circuit = newCircuit()
    for (let pair = 0; pair < 9; pair++) recordAll(circuit, [failure, 'success'])
    recordAll(circuit, ['success'])
    expect(circuit.state(begin)).toBe('closed')

    recordAll(circuit, [failure])

    expect(circuit.state(begin)).toBe('open')
  })

  test('says how its calls failed', () => {
    const circuit = newCircuit()
    recordAll(circuit, [...times(3, { cause: 'timed out' }), ...times(2, failure)])

    expect(circuit.reason()).toBe('5 of 5 calls failed: 3 timed out, 2 got 500')
  })

  test('does not open for less than half', () => {
    const circuit = newCircuit()
    for (let round = 0; round < 50; round++) recordAll(circuit, [failure, 'success', 'success'])

    expect(circuit.state(begin)).toBe('closed')
  })

  test('does not count failures of more than half a minute ago', () => {
    const circuit = newCircuit()
    for (let round = 0; round < 9; round++) recordAll(circuit, [failure, 'success'])

    recordAll(circuit, ['success', failure], begin + 31_000)

    expect(circuit.state(begin + 31_000)).toBe('closed')
  })

  test('counts within the window across its steps', () => {
    const circuit = newCircuit()
    for (let step = 0; step < 10; step++) {
      recordAll(circuit, ['success', failure], begin + step * 2_500)
    }

    expect(circuit.state(begin + 25_000)).toBe('open')
  })
})

describe('an open circuit', () => {
  test('is half-open when its time is over', () => {
    const circuit = openCircuit()

    expect(circuit.state(begin + 9_999)).toBe('open')
    expect(circuit.state(begin + 10_000)).toBe('half-open')
  })

  test.each([
    [0, 8_000],
    [1, 12_000],
  ])('differs by a fifth from others (%d)', (random, openMs) => {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    expect(openCircuit().openUntil()).toBe(begin + openMs)
  })

  test('takes no probe, and learns nothing from attempts that were under way', () => {
    const circuit = openCircuit()

    expect(takeProbe(circuit, probe, begin)).toBe(false)
    recordAll(circuit, ['success', failure])

    expect(circuit.openUntil()).toBe(begin + 10_000)
  })
})

describe('a half-open circuit', () => {
  const due = begin + 10_000

  test('has one probe, of which only its own outcome tells', () => {
    const circuit = openCircuit()
    expect(takeProbe(circuit, probe, due)).toBe(true)

    expect(takeProbe(circuit, some, due)).toBe(false)
    circuit.record('success', some, due)
    circuit.record('success', { ...probe, attempt: 1 }, due)
    expect(circuit.state(due)).toBe('half-open')
    circuit.record('success', probe, due)

    expect(circuit.state(due)).toBe('closed')
    expect(circuit.lines.at(-1)).toBe('circuit closed: the account works again')
  })

  test('opens for longer and longer, up to two minutes', () => {
    const circuit = openCircuit()
    let now = due

    const lengths = [1, 2, 3, 4, 5, 6].map(() => {
      takeProbe(circuit, probe, now)
      circuit.record(failure, probe, now)
      const length = circuit.openUntil()! - now
      now = circuit.openUntil()!
      return length
    })

    expect(lengths).toEqual([20_000, 40_000, 80_000, 120_000, 120_000, 120_000])
  })

  test('begins anew once it has been closed', () => {
    const circuit = openCircuit()
    takeProbe(circuit, probe, due)
    circuit.record(failure, probe, due)
    takeProbe(circuit, probe, due + 20_000)
    circuit.record('success', probe, due + 20_000)

    recordAll(circuit, times(5, failure), due + 30_000)

    expect(circuit.openUntil()).toBe(due + 40_000)
  })

  test('holds nothing against an account that works again', () => {
    const circuit = openCircuit()
    takeProbe(circuit, probe, due)
    circuit.record('success', probe, due)

    for (let round = 0; round < 5; round++) {
      recordAll(circuit, ['success', 'success', failure], due + 1)
    }

    // With the five failures before, these would be ten of twenty.
    expect(circuit.state(due + 1)).toBe('closed')
  })

  test('lets another one try after a probe that said nothing', () => {
    const circuit = openCircuit()
    takeProbe(circuit, probe, due)

    circuit.record('neutral', probe, due)

    expect(circuit.state(due)).toBe('half-open')
    expect(takeProbe(circuit, some, due)).toBe(true)
  })

  test('lets another key probe beside a probe that takes long, and later the same key', () => {
    const circuit = openCircuit()
    const of = (keyId: string) => ({ ...probe, exchangeId: keyId, keyId })
    takeProbe(circuit, of('alice'), due)

    expect(takeProbe(circuit, of('bob'), due + 9_999)).toBe(false)
    expect(takeProbe(circuit, of('alice'), due + 19_999)).toBe(false)
    expect(takeProbe(circuit, of('bob'), due + 19_999)).toBe(true)
    expect(takeProbe(circuit, of('alice'), due + 29_998)).toBe(false)
    expect(takeProbe(circuit, of('alice'), due + 29_999)).toBe(true)
  })
})
