import { checksOf } from '../mutation.ts'

const questions = ['test/admin/many-questions.test.ts']
const commands = ['test/admin/commands.test.ts']

/** What a viewer, a damaged record or a stranger does to operators. */
export const adminHarmChecks = [
  ...checksOf('admin', 'src/admin/processes/command-places.ts', questions, {
    'harm: one asker leaves places to the others': ['own >= mostOfAsker', 'own < 0'],
  }),
  ...checksOf('admin', 'src/admin/processes/commands.ts', commands, {
    'harm: questions take no place of an act': [
      'places.take(options.asker)',
      'places.take(options.asker ?? "all")',
    ],
  }),
  ...checksOf('admin', 'src/admin/processes/gather.ts', questions, {
    'harm: equal questions at the same time are one': [
      'questions.get(question) ?? askAll',
      'askAll',
    ],
  }),
]
