import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { repository } from './pages.ts'

/** A link of a page to a file of this repository, or to a heading. */
export interface Link {
  /** The page that has it. */
  readonly from: string
  /** As it is written: `../README.md#start`. */
  readonly written: string
  /** The file in the repository. */
  readonly file: string
  /** Absent where the link leads to the file as a whole. */
  readonly anchor?: string
}

/** The files of the repository as other places link to them. */
export const published = 'https://github.com/dragoman-gateway/dragoman/blob/main/'

/** Code holds brackets that are no links. */
const code = /^(`{3,})[^]*?^\1|`[^`\n]*`/gm

/** The links of a page that lead to other files of this repository, also as published, or to its own headings. */
export function linksOf(path: string, text: string): Link[] {
  return [...text.replace(code, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, written = '']) => written)
    .filter((written) => written.startsWith(published) || !/^[a-z]+:/i.test(written))
    .map((written) => {
      const [name = '', anchor] = written.replace(published, '').split('#')
      const folder = written.startsWith(published) ? '' : dirname(path)
      const file = name === '' ? path : join(folder, name)
      return { from: path, written, file, ...(anchor !== undefined && { anchor }) }
    })
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const heading of headingsOf(text)) {
    const plain = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    let anchor = plain
    for (let again = 1; anchors.has(anchor); again++) anchor = `${plain}-${again}`
    anchors.add(anchor)
  }
  return anchors
}

/** The texts of a page's headings, in order. */
export function headingsOf(text: string): string[] {
  const outsideCode = text.replace(/^(`{3,})[^]*?^\1/gm, '')
  return [...outsideCode.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) => heading)
}

/** Why a link leads nowhere; `undefined` where it leads to something. */
export function faultOf({ file, anchor }: Link): string | undefined {
  const path = join(repository, file)
  if (!existsSync(path)) return `${file} does not exist`
  if (anchor === undefined) return undefined
  const isThere = anchorsOf(readFileSync(path, 'utf8')).has(anchor)
  return isThere ? undefined : `${file} has no heading #${anchor}`
}
