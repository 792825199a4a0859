import type { Command, Option } from './command.ts'
import { commonOptions } from './options.ts'
import { programName } from './hints.ts'
import { alignColumns } from './table.ts'

/** The help of the program, or of the commands of one group (`keys`). */
export function programHelp(commands: readonly Command[], group?: string): string {
  const shown = commands.filter(({ name }) => !group || name.startsWith(`${group} `))
  const rows = shown.map(({ name, operand, summary }) => [`  ${name} ${operand ?? ''}`, summary])
  return [
    `Usage: ${programName()} ${group ?? '[command]'} ${group ? 'COMMAND ' : ''}[options]`,
    '',
    'Commands:',
    ...alignColumns(rows),
    '',
    `\`${programName()} COMMAND --help\` shows the options of a command; the default command is serve.`,
    ...(group ? [] : ['', ...environmentHelp]),
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

const environmentHelp = [
  'Environment: DRAGOMAN_CONFIG, DRAGOMAN_HOST, DRAGOMAN_PORT, DRAGOMAN_ADMIN_HOST,',
  'DRAGOMAN_ADMIN_PORT, DRAGOMAN_ADMIN, DRAGOMAN_PUBLIC_URL, DRAGOMAN_STORE, DRAGOMAN_WORKERS,',
  'DRAGOMAN_LOG_LEVEL, DRAGOMAN_LOG_FORMAT. Options override the environment, and the environment',
  'overrides the configuration. DRAGOMAN_ADMIN_TOKEN: a token of the admin API, of at least 32',
  'characters, which the gateway accepts and commands send.',
  'DRAGOMAN_ADMIN_URL: the gateway that commands ask in place of the store. DRAGOMAN_DRAIN_DELAY_MS: how',
  'long the gateway accepts calls after SIGTERM, in milliseconds; by default 5000.',
  'TERMINATION_GRACE_PERIOD_SECONDS: when its supervisor kills it, in place of timeouts.drainMs.',
  'Without both there is no delay at a terminal.',
  '',
  'Exit codes: 0 success, 1 failure, 2 invalid command line, 3 invalid configuration.',
]

function spelling({ name, short, value }: Option): string {
  return `  ${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`
}
