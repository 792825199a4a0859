import { basename, dirname, isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { Problem } from '../../contract/problems.ts'

/**
 * Problems without the directory of the configuration file, for operators of other machines and the audit log:
 * the log of the process has whole paths.
 */
export function withoutDirectory(
  problems: readonly Problem[],
  file: string | undefined,
): readonly Problem[] {
  if (file === undefined) return problems
  const directory = dirname(file)
  const parts = [`${pathToFileURL(directory).href}/`, `${directory}/`]
  // The root is a part of every path and address.
  const cut = (text: string) =>
    directory === '/' ? text : parts.reduce((left, part) => left.replaceAll(part, ''), text)
  return problems.map((one) => {
    const path = cut(one.path)
    return {
      ...one,
      // A file that the configuration imports may lie elsewhere.
      path: isAbsolute(path) ? basename(path) : path,
      message: cut(one.message),
      fix: cut(one.fix),
    }
  })
}
