import { execFile } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { fileError } from './discover.ts'
import type { ConfigurationError } from '../contract/problems.ts'

/** Converts an import error of a configuration file into a `ConfigurationError` with its place and a fix. */
export async function explainImportError(
  file: string,
  cause: unknown,
): Promise<ConfigurationError> {
  if (!(cause instanceof Error)) {
    return fileError(file, `threw ${String(cause)}`, 'export the settings instead', cause)
  }
  const code = 'code' in cause ? cause.code : undefined
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    const message = cause.message.replace(' is not supported in strip-only mode', '')
    return fileError(
      (await locate(file, cause)) ?? file,
      `uses syntax that types cannot be stripped from: ${message}`,
      'use a const object instead of an enum, plain modules instead of namespaces, and fields instead of parameter properties',
      cause,
    )
  }
  if (code === 'ERR_MODULE_NOT_FOUND') {
    return fileError(
      file,
      cause.message,
      'install the package beside the file; relative imports need their extension (./accounts.ts)',
      cause,
    )
  }
  if (cause.name === 'SyntaxError') {
    return fileError(
      (await locate(file, cause)) ?? thrownAt(cause) ?? file,
      `syntax error: ${withoutQuotes(cause.message)}`,
      'correct the syntax there',
    )
  }
  const message = withoutSecretName(cause.message)
  return fileError(
    thrownAt(cause) ?? file,
    `failed while it was loaded: ${cause.name}: ${message}`,
    'correct it there, or run again with --debug for the stack trace',
    message === cause.message ? cause : undefined,
  )
}

/** Kinds of tokens in the messages of engines. */
const tokenKind = /^(?:[^\p{L}\d]{1,3}|[a-z]+|(?:string|numeric|template) literal)$/u

/**
 * An engine's message without the words of the file that it quotes: they may be a secret that lacks its
 * quotes, or the beginning of a file that `JSON.parse` refused.
 */
function withoutQuotes(message: string): string {
  if (/\bJSON\b/.test(message)) return 'a text that was parsed is not JSON'
  const isPaired = message.split("'").length % 2 === 1
  // Node 24.9 writes quotes within quotes: got 'string literal ('x', ''x'')'.
  const isNested = message.matchAll(/'[^']*'(.?)/g).some(([, next = '']) => /[^\s,.:;)]/.test(next))
  if (!isPaired || isNested) return 'something unexpected stands here'
  return message.replaceAll(/'([^']*)'/g, (quoted, text: string) =>
    tokenKind.test(text) ? quoted : "'...'",
  )
}

/** A message without the name of an unknown variable that is more likely a secret without its quotes. */
function withoutSecretName(message: string): string {
  return message.replace(/^(?=\S*\d)[\w$]{12,}(?= is not defined)/, 'a name')
}

async function locate(file: string, cause: Error): Promise<string | undefined> {
  return firstLocation(cause.stack) ?? firstLocation(await importInChildProcess(file))
}

/** The `file:line` in the first line of an engine report. */
function firstLocation(report: string | undefined): string | undefined {
  const match = /^(?:(file:\/\/\S+)|(\/\S.*)):(\d+)$/m.exec(report?.split('\n', 1)[0] ?? '')
  if (!match) return undefined
  return `${match[1] ? fileURLToPath(match[1]) : match[2]}:${match[3]}`
}

/** How long the child process may take, in milliseconds. */
const childMs = 5_000

/**
 * Node's report of a file that it cannot parse: the engine reports the place of a syntax error only when it ends
 * the process. No code of the file runs there, because parsing fails first. A gateway may serve meanwhile.
 */
function importInChildProcess(file: string): Promise<string> {
  const words = ['--no-warnings', '--import', pathToFileURL(file).href, '--eval', '0']
  return new Promise((resolve) => {
    execFile(process.execPath, words, { timeout: childMs, killSignal: 'SIGKILL' }, (_, __, text) =>
      resolve(text),
    )
  })
}

function thrownAt(cause: Error): string | undefined {
  const match = /\(?(file:\/\/[^\s)]+):(\d+):\d+\)?$/m.exec(cause.stack ?? '')
  return match?.[1] && `${fileURLToPath(match[1])}:${match[2]}`
}
