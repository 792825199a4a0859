import { walkChains } from './chaining-walk.ts'

walkChains({ runs: 50, leastSteps: 5_500 })
