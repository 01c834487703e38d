import type { FastifyRequest } from 'fastify';
import { ANONYMOUS, requestContext, type AppContext, type RequestContext } from '../context/context.ts';
import type { Admission } from './admission.ts';
import { budgetOf, readWithinBudget } from './budgets.ts';
import { charge } from './caller.ts';

/**
 * Reads what a signed-out visitor may see, for a page or a picture: within the limits of a query,
 * and at the expense of the visitor's address.
 * @throws `RATE_LIMITED` (429), `OVERLOADED` (503), or {@link BudgetError}
 */
export async function readAsVisitor<Read>(
  app: AppContext,
  admission: Admission,
  request: FastifyRequest,
  read: (context: RequestContext) => Promise<Read>,
): Promise<Read> {
  const visitor = { ...ANONYMOUS, address: request.ip };
  charge(app, visitor, 1);
  const context = requestContext({ ...app, requestId: request.id }, visitor);
  context.budget = budgetOf(app, request);
  readWithinBudget(context, false);
  return admission.asQuery(() => read(context));
}
