import { join } from 'node:path'
import { fileOfPackage } from '../packages.ts'
import type { Agent } from './agent.ts'

/** Gemini CLI, with its prompt as an argument. */
export const geminiCli: Agent = {
  name: 'Gemini CLI',
  packageName: '@google/gemini-cli',
  dialect: 'generate',
  model: 'gemini-2.5-pro',
  shell: {
    name: 'run_shell_command',
    input: (command) => ({ command, description: 'Copies a file and shows it' }),
  },
  launch: ({ home, url, key, model, prompt }) => ({
    command: [
      process.execPath,
      fileOfPackage('@google/gemini-cli', 'bundle/gemini.js'),
      '--yolo',
      '--skip-trust',
      '--model',
      model,
      '--prompt',
      prompt,
    ],
    env: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: url },
    files: { [join(home, '.gemini/settings.json')]: JSON.stringify(settings) },
  }),
}

const settings = {
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: 'gemini-api-key' } },
  telemetry: { enabled: false },
}
