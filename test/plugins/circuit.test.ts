import { describe, expect, test } from 'vitest'

import { Circuit } from '../../plugins/circuit-breaker/circuit.ts'
import { defaultCircuit } from '../../plugins/circuit-breaker/options.ts'
import type { Evidence } from '../../plugins/circuit-breaker/evidence.ts'

const begin = 1_800_000_000_000
const some = { exchange: { id: 'req_some' }, attempt: 1 }
const probe = { exchange: { id: 'req_probe' }, attempt: 2 }

/** A circuit whose times have no jitter, unless a test wants some. */
const newCircuit = (random = 0.5) => new Circuit(defaultCircuit, () => random)

function recordAll(circuit: Circuit, evidence: readonly Evidence[], now = begin): void {
  for (const one of evidence) circuit.record(one, some, now)
}

const takeProbe = (circuit: Circuit, attempt: typeof probe, now: number) =>
  circuit.gateOf(undefined, now).takeProbe(attempt, now)

const times = (count: number, evidence: Evidence) => Array<Evidence>(count).fill(evidence)

function openCircuit(random?: number): Circuit {
  const circuit = newCircuit(random)
  recordAll(circuit, times(5, 'failure'))
  return circuit
}

describe('a closed circuit', () => {
  test('opens with the fifth failure in a row', () => {
    const circuit = newCircuit()
    recordAll(circuit, times(4, 'failure'))
    expect(circuit.state(begin)).toBe('closed')

    expect(circuit.record('failure', some, begin)).toMatchObject({ reason: 'row' })

    expect(circuit.state(begin)).toBe('open')
    expect(circuit.openUntil(begin)).toBe(begin + 10_000)
  })

  test('forgets a row of failures with a success, but not for what says nothing', () => {
    const circuit = newCircuit()
    recordAll(circuit, [...times(4, 'failure'), 'success', ...times(4, 'failure')])
    expect(circuit.state(begin)).toBe('closed')

    recordAll(circuit, [...times(100, 'neutral'), 'failure'])

    expect(circuit.state(begin)).toBe('open')
  })

  test('opens when half of twenty attempts have failed', () => {
    const circuit = newCircuit()
    for (let pair = 0; pair < 9; pair++) recordAll(circuit, ['failure', 'success'])
    recordAll(circuit, ['success'])
    expect(circuit.state(begin)).toBe('closed')

    recordAll(circuit, ['failure'])

    expect(circuit.state(begin)).toBe('open')
  })

  test('does not open for less than half', () => {
    const circuit = newCircuit()
    for (let round = 0; round < 50; round++) recordAll(circuit, ['failure', 'success', 'success'])

    expect(circuit.state(begin)).toBe('closed')
  })

  test('does not count failures of more than half a minute ago', () => {
    const circuit = newCircuit()
    for (let round = 0; round < 9; round++) recordAll(circuit, ['failure', 'success'])

    recordAll(circuit, ['success', 'failure'], begin + 31_000)

    expect(circuit.state(begin + 31_000)).toBe('closed')
  })

  test('counts within the window across its steps', () => {
    const circuit = newCircuit()
    for (let step = 0; step < 10; step++) {
      recordAll(circuit, ['success', 'failure'], begin + step * 2_500)
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
    expect(openCircuit(random).openUntil(begin)).toBe(begin + openMs)
  })

  test('takes no probe, and learns nothing from attempts that were under way', () => {
    const circuit = openCircuit()

    expect(takeProbe(circuit, probe, begin)).toBe(false)
    recordAll(circuit, ['success', 'failure'])

    expect(circuit.openUntil(begin)).toBe(begin + 10_000)
  })
})

describe('a half-open circuit', () => {
  const due = begin + 10_000

  test('has one probe, of which only its own outcome tells', () => {
    const circuit = openCircuit()
    expect(takeProbe(circuit, probe, due)).toBe(true)

    expect(takeProbe(circuit, some, due)).toBe(false)
    expect(circuit.record('success', some, due)).toBeUndefined()
    expect(circuit.record('success', { ...probe, attempt: 1 }, due)).toBeUndefined()
    expect(circuit.record('success', probe, due)).toMatchObject({ closed: { keyId: undefined } })

    expect(circuit.state(due)).toBe('closed')
  })

  test('opens for longer and longer, up to two minutes', () => {
    const circuit = openCircuit()
    let now = due

    const lengths = [1, 2, 3, 4, 5, 6].map(() => {
      takeProbe(circuit, probe, now)
      circuit.record('failure', probe, now)
      const length = circuit.openUntil(begin) - now
      now = circuit.openUntil(begin)
      return length
    })

    expect(lengths).toEqual([20_000, 40_000, 80_000, 120_000, 120_000, 120_000])
  })

  test('begins anew once it has been closed', () => {
    const circuit = openCircuit()
    takeProbe(circuit, probe, due)
    circuit.record('failure', probe, due)
    takeProbe(circuit, probe, due + 20_000)
    circuit.record('success', probe, due + 20_000)

    recordAll(circuit, times(5, 'failure'), due + 30_000)

    expect(circuit.openUntil(begin)).toBe(due + 40_000)
  })

  test('holds nothing against an account that works again', () => {
    const circuit = openCircuit()
    takeProbe(circuit, probe, due)
    circuit.record('success', probe, due)

    for (let round = 0; round < 5; round++) {
      recordAll(circuit, ['success', 'success', 'failure'], due + 1)
    }

    // With the five failures before, these would be ten of twenty.
    expect(circuit.state(due + 1)).toBe('closed')
  })

  test('lets another one try after a probe that said nothing', () => {
    const circuit = openCircuit()
    takeProbe(circuit, probe, due)

    expect(circuit.record('neutral', probe, due)).toBeUndefined()

    expect(circuit.state(due)).toBe('half-open')
    expect(takeProbe(circuit, some, due)).toBe(true)
  })

  test('lets another key probe beside a probe that takes long, and later the same key', () => {
    const circuit = openCircuit()
    const of = (keyId: string) => ({ ...probe, exchange: { id: keyId }, keyId })
    takeProbe(circuit, of('alice'), due)

    expect(takeProbe(circuit, of('bob'), due + 9_999)).toBe(false)
    expect(takeProbe(circuit, of('alice'), due + 19_999)).toBe(false)
    expect(takeProbe(circuit, of('bob'), due + 19_999)).toBe(true)
    expect(takeProbe(circuit, of('alice'), due + 29_998)).toBe(false)
    expect(takeProbe(circuit, of('alice'), due + 29_999)).toBe(true)
  })
})
