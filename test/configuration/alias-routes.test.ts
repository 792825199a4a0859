import { expect, test } from 'vitest'

import { resolveSettings } from '../../src/configuration/resolve.ts'

function problemsOf(aliases: unknown): string[] {
  try {
    resolveSettings({ aliases }, { env: {} })
    return []
  } catch (error) {
    const { problems } = error as { problems: { path: string; message: string }[] }
    return problems.map(({ path, message }) => `${path} ${message}`)
  }
}

const to = (model: string) => ({ on: ['unavailable'], model })

test('a fallback that leads back to the model of its alias is a problem', () => {
  expect(
    problemsOf({
      fast: { model: 'quick', fallbacks: [to('spare'), to('m'), to('again')] },
      quick: 'm',
      again: 'quick',
      own: { model: 'own', fallbacks: [to('own')] },
    }),
  ).toEqual([
    'aliases.fast.fallbacks[1].model leads back to the model of the alias, "m"',
    'aliases.fast.fallbacks[2].model leads back to the model of the alias, "m"',
    'aliases.own.fallbacks[0].model leads back to the model of the alias, "own"',
  ])
})

test('two models may stand in for each other, under their own names or under aliases', () => {
  expect(
    problemsOf({
      a: { model: 'a', fallbacks: [to('b')] },
      b: { model: 'b', strategy: 'latency', fallbacks: [to('a')] },
      fast: { model: 'c', fallbacks: [to('slow')] },
      slow: { model: 'd', fallbacks: [to('fast')] },
    }),
  ).toEqual([])
})

test('strategies and kinds are words of their lists', () => {
  const [strategy, kind, none, unknown] = problemsOf({
    a: { model: 'm', strategy: 'quickest' },
    b: { model: 'm', fallbacks: [{ on: ['rain'], model: 'n' }] },
    c: { model: 'm', fallbacks: [{ on: [], model: 'n' }] },
    d: { model: 'm', fallbacks: [{ on: ['budget'], model: 'n', weight: 1 }] },
  })
  expect([strategy, kind, none, unknown].map((one) => one?.split(' ')[0])).toEqual([
    'aliases.a.strategy',
    'aliases.b.fallbacks[0].on[0]',
    'aliases.c.fallbacks[0].on',
    'aliases.d.fallbacks[0].weight',
  ])
})
