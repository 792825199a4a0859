import type { Command, Option } from './command.ts'
import { commonOptions } from './options.ts'
import { programName } from './hints.ts'
import { alignColumns } from './table.ts'

/** The help of the whole program, or of the commands that begin with a word. */
export function programHelp(commands: readonly Command[], group?: string): string {
  const shown = commands.filter(({ name }) => !group || name.startsWith(`${group} `))
  const rows = shown.map(({ name, operand, summary }) => [`  ${name} ${operand ?? ''}`, summary])
  return [
    `Usage: ${programName()} ${group ?? '[command]'} ${group ? 'COMMAND ' : ''}[options]`,
    '',
    'Commands:',
    ...alignColumns(rows),
    '',
    `\`${programName()} COMMAND --help\` shows the options of a command; without a command it serves.`,
    ...(group ? [] : ['', ...surroundings]),
  ].join('\n')
}

/** The help of one command. */
export function commandHelp({ name, summary, operand, options }: Command): string {
  return [
    `Usage: ${programName()} ${name} ${operand ? `${operand} ` : ''}[options]`,
    '',
    `${summary}.`,
    '',
    'Options:',
    ...alignColumns(
      [...options, ...commonOptions].map((option) => [spelling(option), option.help]),
    ),
  ].join('\n')
}

const surroundings = [
  'Environment: DRAGOMAN_CONFIG, DRAGOMAN_HOST, DRAGOMAN_PORT, DRAGOMAN_ADMIN_HOST,',
  'DRAGOMAN_ADMIN_PORT, DRAGOMAN_PUBLIC_URL, DRAGOMAN_STORE, DRAGOMAN_WORKERS. Options win over the',
  'environment, the environment over the configuration. DRAGOMAN_DRAIN_DELAY_MS: how long calls are',
  'still taken after SIGTERM.',
  '',
  'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 wrong configuration.',
]

function spelling({ name, short, value }: Option): string {
  return `  ${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`
}
