import { describe, expect, test } from 'vitest'
import type { Directives } from '../../src/sandbox/steering/directives.ts'
import { type Step, type Stream, stepsOfBody, stepsOfStream } from '../../src/sandbox/wire/steps.ts'

const stream: Stream = {
  frames: [{ data: { n: 1 } }, { data: { n: 2 } }, { data: { n: 3 } }, { data: '[DONE]' }],
  failure: [{ data: { error: 'x' } }],
  framing: 'sse',
}

const told = (steps: Step[]) =>
  steps.map((step) => {
    if (step.do === 'send') return String(step.bytes)
    return step.do === 'wait' ? step.milliseconds : step.do
  })

const score = (directives: Directives) => told(stepsOfStream(stream, directives))

describe('the score of a stream', () => {
  const [one, two, three] = ['data: {"n":1}\n\n', 'data: {"n":2}\n\n', 'data: {"n":3}\n\n']
  const done = 'data: [DONE]\n\n'

  test.each<[string, Directives, unknown[]]>([
    ['one write for each event', {}, [one, two, three, done, 'end']],
    ['a wait between events', { pace: 5 }, [one, 5, two, 5, three, 5, done, 'end']],
    ['a wait in front of the first', { first: 5 }, [5, one, two, three, done, 'end']],
    ['a silence in the middle', { silent: 9 }, [one, two, 9, three, done, 'end']],
    ['one write in all', { coalesce: true }, [one + two + three + done, 'end']],
    ['no [DONE]', { notdone: true }, [one, two, three, 'end']],
    ['a cut', { cut: 2 }, [one, two, 'destroy']],
    ['a cut that comes too late', { cut: 4 }, [one, two, three, done, 'end']],
    ['a half', { half: 1 }, [one, 'data: {"', 'destroy']],
    ['an early end', { eof: 0 }, ['end']],
    ['a stall', { stall: 1 }, [one, 'stall']],
    ['an error', { error: 1 }, [one, 'data: {"error":"x"}\n\n', 'end']],
    ['a broken event', { malformed: 2 }, [one, 'data: {"n":2,,\n\n', three, done, 'end']],
    ['no last blank line', { noblank: true }, [one, two, three, 'data: [DONE]', 'end']],
  ])('%s', (_, directives, expected) => {
    expect(score(directives)).toEqual(expected)
  })

  test('pieces of a size, across events or within one', () => {
    expect(score({ split: 10, eof: 1 })).toEqual(['data: {"n"', ':1}\n\n', 'end'])
    expect(score({ split: 25, coalesce: true, eof: 2 })).toEqual([
      'data: {"n":1}\n\ndata: {"n"',
      ':2}\n\n',
      'end',
    ])
  })

  test('a JSON array is an array even if it is empty or fails', () => {
    const array: Stream = { ...stream, framing: 'json-array', frames: stream.frames.slice(0, 2) }
    expect(told(stepsOfStream(array, {}))).toEqual(['[{"n":1}', ',\r\n{"n":2}', ']', 'end'])
    expect(told(stepsOfStream({ ...array, frames: [] }, {}))).toEqual(['[]', 'end'])
    const failed = told(stepsOfStream(array, { error: 1 }))
    expect(JSON.parse(failed.slice(0, -1).join(''))).toEqual([{ n: 1 }, { error: 'x' }])
  })
})

describe('the score of a JSON reply', () => {
  const body = Buffer.from('{"text":"grüß dich"}')

  test('halves the bytes without harming them', () => {
    const steps = stepsOfBody(body, { silent: 3 })
    expect(steps.map((step) => step.do)).toEqual(['send', 'wait', 'send', 'end'])
    const sent = steps.flatMap((step) => (step.do === 'send' ? [step.bytes] : []))
    expect(String(Buffer.concat(sent))).toBe(String(body))
  })

  test('breaks off after the first half', () => {
    expect(told(stepsOfBody(body, { stall: 0 }))).toEqual([String(body.subarray(0, 11)), 'stall'])
  })
})
