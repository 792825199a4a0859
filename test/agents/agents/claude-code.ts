import { join } from 'node:path'
import { fileOfPackage } from '../packages.ts'
import type { Agent } from './agent.ts'

/** Claude Code, in print mode. */
export const claudeCode: Agent = {
  name: 'Claude Code',
  packageName: '@anthropic-ai/claude-code',
  dialect: 'messages',
  model: 'claude-sonnet-4-6',
  shell: {
    name: 'Bash',
    input: (command) => ({ command, description: 'Copies a file and shows it' }),
  },
  launch: ({ home, url, key, model, prompt }) => ({
    command: [
      process.execPath,
      fileOfPackage('@anthropic-ai/claude-code', 'cli-wrapper.cjs'),
      ...flags,
      '--model',
      model,
      '--',
      prompt,
    ],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
    },
    files: {},
  }),
}

const flags = ['--print', '--max-turns', '6', '--allowedTools', 'Bash']
