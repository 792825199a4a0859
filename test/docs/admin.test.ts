import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { getNamedType, isInputObjectType, isNonNullType } from 'graphql'
import { expect, test } from 'vitest'

import { adminLimits } from '../../src/admin/limits.ts'
import { createAdminSchema } from '../../src/admin/schema/index.ts'
import { openPage, repository } from './pages.ts'
import { rootFields } from './roles/operations.ts'

const page = openPage('docs/admin.md')

test('the page names every query, mutation and subscription of the schema, and no other', () => {
  const rows = page
    .section('Nouns')
    .split('\n')
    .filter((line) => line.startsWith('|'))
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  const fields = rootFields(createAdminSchema()).map(({ name }) => name)
  expect(named.toSorted()).toEqual(fields.toSorted())
})

test('the page names the acts that demand a reason, and no other', () => {
  const [, list = ''] = /These acts demand it:([^]*?), and `rotateKey`/.exec(page.text) ?? []
  const mutations = createAdminSchema().getMutationType()?.getFields() ?? {}
  const demanding = Object.values(mutations).filter(({ args }) =>
    args.some(({ type }) => {
      const input = getNamedType(type)
      return isInputObjectType(input) && isNonNullType(input.getFields()['reason']?.type)
    }),
  )
  const named = [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  expect(named).toEqual(demanding.map(({ name }) => name).toSorted())
})

test('the pages have the codes of all errors of the API', () => {
  const pages = ['docs/admin.md', 'docs/admin-access.md'].map((path) => openPage(path).text).join()
  const sources = globSync('src/admin/**/*.ts', { cwd: repository }).map((path) =>
    readFileSync(join(repository, path), 'utf8'),
  )
  const codes = sources.flatMap((text) =>
    [...text.matchAll(/(?:code: |refusalOf\(\d+, )'([A-Z_]+)'/g)].map(([, code = '']) => code),
  )
  expect(codes.length).toBeGreaterThan(10)
  expect([...new Set(codes)].filter((code) => !pages.includes(`\`${code}\``))).toEqual([])
})

test('the limits of docs/admin-access.md are those that hold', () => {
  const values = (row: string) =>
    [
      ...(
        new RegExp(`^\\| ${row}[^|]*\\|([^|]*)\\|`, 'm').exec(
          openPage('docs/admin-access.md').text,
        )?.[1] ?? ''
      ).matchAll(/[\d,]+/g),
    ]
      .map(([text]) => Number(text.replaceAll(',', '')))
      .filter((value) => !Number.isNaN(value) && value > 0)
  expect(values('body')).toEqual([adminLimits.bodyBytes / 1024, adminLimits.bodyMs / 1000])
  expect(values('tokens')).toEqual([adminLimits.tokens])
  expect(values('nested fields')).toEqual([adminLimits.depth])
  expect(values('fields')).toEqual([adminLimits.fields])
  expect(values('time')).toEqual([adminLimits.queryMs / 1000])
  expect(values('operations of a token')).toEqual([
    adminLimits.queriesPerSecond,
    adminLimits.tokenBurst,
  ])
  expect(values('operations of a session')).toEqual([
    adminLimits.queriesPerSecond,
    adminLimits.sessionBurst,
  ])
  expect(values('operations and streams of all')).toEqual([
    adminLimits.sessionsTogether,
    2 * adminLimits.sessionsTogether,
  ])
  expect(values('streams')).toEqual([adminLimits.streams, adminLimits.streamsOfOne])
})
