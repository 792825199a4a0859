import { expect, test } from 'vitest'

import { serverOptions } from '../../src/cli/options.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import { loadExamples, pageText, secrets } from './page.ts'

test('the examples in TypeScript, JSON and YAML are one configuration without problems', async () => {
  const [inTypeScript, inJson, inYaml] = await loadExamples()
  expect(inJson).toEqual({ $schema: expect.any(String), ...(inTypeScript as object) })
  expect(inYaml).toEqual(inTypeScript)
  const settings = resolveSettings(inJson, { env: secrets, file: 'dragoman.config.json' })
  expect(settings).toEqual(resolveSettings(inTypeScript, { env: secrets }))
  expect(settings.accounts).toHaveLength(3)
})

test('the page names every flag that a server has, with its variable', () => {
  const rows = [...pageText.matchAll(/\| `--([a-z-]+)` \| `([A-Z_]+)` \|$/gm)]
  const documented = rows.map(([, flag, variable]) => `--${flag} ${variable}`)
  const variableOf = (flag: string) => flag.toUpperCase().replaceAll('-', '_')
  expect(documented.toSorted()).toEqual(
    serverOptions.map(({ name }) => `--${name} DRAGOMAN_${variableOf(name)}`).toSorted(),
  )
})
