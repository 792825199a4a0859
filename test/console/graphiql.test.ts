import { expect, test } from 'vitest'

import { startFixture } from './fixture.ts'

test('the page before GraphiQL is accessible, light and dark, and small', async () => {
  await using fixture = await startFixture()
  for (const view of [{ theme: 'light' }, { theme: 'dark', width: 390 }] as const) {
    await using opened = await fixture.open({ path: '../graphiql', ...view })
    expect(await opened.axe()).toEqual([])
    expect(opened.faults.filter((fault) => !fault.includes('401'))).toEqual([])
  }
})
