import { describe, expect, test } from 'vitest'

import { dailySteps } from '../daily-rows.ts'
import { dialectNames } from '../translate/clients/index.ts'
import { bodyComplaints } from './bodies.ts'
import { corpusOf } from './corpus.ts'
import { requestComplaints } from './requests.ts'
import { runSeries, untouched } from './series.ts'
import { printed } from './shrink.ts'

const seed = 20_261_121

describe.each(dialectNames)('an account that speaks %s', (account) => {
  test('is understood by every client as long as it says what it should', async () => {
    expect(await untouched(account, corpusOf(account))).toEqual([])
  })

  test('fails as it should where its replies are broken at random', async () => {
    const failures = await runSeries({ seed, account, from: 0, to: dailySteps(125) })
    expect(
      failures.map(({ one, complaints }) => [...complaints, printed(one, seed)].join('\n')),
    ).toEqual([])
  })
})

test('an account gets no header, parameter or path that it should not, however requests look', async () => {
  expect(await requestComplaints(seed, dailySteps(400))).toEqual([])
})

test('bombs, deep values and odd encodings of clients and accounts do no harm', async () => {
  expect(await bodyComplaints(seed, dailySteps(75))).toEqual([])
})
