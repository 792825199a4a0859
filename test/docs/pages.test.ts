import { expect, test } from 'vitest'

import { openPage, pagePaths } from './pages.ts'

/** The README, and the pages but for references to look something up in. */
const guides = pagePaths().filter((path) =>
  /^README|^docs\/(?!wire\/|configuration|sdk-methods)/.test(path),
)

test.each(guides)('%s begins with an example that runs', (path) => {
  const [, before = ''] = /^([^]*?)^```(?:sh|ts)$/m.exec(openPage(path).text) ?? []
  expect(before).not.toBe('')
  // Below the bullets of the README stands its start.
  expect(before.split('\n').length).toBeLessThan(30)
})
