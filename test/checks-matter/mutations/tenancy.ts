import { checksOf } from '../mutation.ts'

const keyIds = ['test/tenancy/key-ids.test.ts']
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
  ...checksOf('kept', 'src/attempt/attempt.ts', hanging, {
    'a record that is never written holds no reply': [
      'limited(plan, environment.timeouts)',
      'plan.persist',
    ],
  }),
]
