import { checksOf } from '../mutation.ts'

const keyIds = ['test/tenancy/key-ids.test.ts']
const statuses = ['test/walks/chaining/without-status.test.ts']
const hanging = ['test/outcomes/hanging-records.test.ts']

/** What belongs to one key and is unknown to every other. */
export const tenancyChecks = [
  ...checksOf('kept', 'src/stores/record-id.ts', keyIds, {
    'a key id with a space imitates no other': [" && !text.includes(' ')", ''],
    'a text that looks like a hash is hashed': [' && !text.startsWith(mark)', ''],
    'a long id has a record of its own': ['text.length <= longest', 'true'],
  }),
  ...checksOf('videos', 'src/jobs/jobs.ts', keyIds, {
    'a list ends with the last job of its key': [
      'const prefix = recordPrefixOf([keyId])',
      'const prefix = keyId',
    ],
  }),
  ...checksOf('kept', 'plugins/dialects/responses/outcome.ts', statuses, {
    'a response without a status is complete': ["?? event ?? 'completed'", "?? event ?? 'queued'"],
    'a failed response is no end of a chain': ["  if (event === 'failed') return event\n", ''],
    'the name of the last event counts': ["(event ?? 'incomplete')", "'incomplete'"],
  }),
  ...checksOf('kept', 'src/attempt/attempt.ts', hanging, {
    'a record that is never written holds no reply': [
      'limited(plan, environment.timeouts)',
      'plan.persist',
    ],
  }),
]
