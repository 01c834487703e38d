import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Answer } from '../components/answer.tsx';
import { Copy } from '../components/copy.tsx';
import { Choice } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { More } from '../components/more.tsx';
import { Page } from '../components/page.tsx';
import { CopiesDocument, type ListingOrder } from '../documents.generated.ts';
import { given } from '../form-values.ts';
import { currencyOf } from '../format.ts';
import { Link, navigate, pathTo, useAddress } from '../router.tsx';

/** The orders by their names in the address; the newest copies come first without one. */
const ORDERS: Readonly<Record<string, ListingOrder>> = { cheapest: 'PRICE', dearest: 'PRICE_DESC' };

/** All copies for sale, narrowed by a genre, newest first or by price in one currency. */
export function Copies() {
  const { searchParams } = useAddress();
  const genre = searchParams.get('genre') ?? undefined;
  const order = searchParams.get('order') ?? '';
  const orderBy = ORDERS[order] ?? 'LISTED_AT';
  const currency = searchParams.get('currency') ?? 'EUR';
  const variables = { genre, orderBy, currency: orderBy === 'LISTED_AT' ? undefined : currency };
  const { data, previousData, loading, error, fetchMore } = useQuery(CopiesDocument, { variables });
  const { copies } = data ?? {};
  const { genres, currencies } = data ?? previousData ?? {};
  return (
    <Page title={genre === undefined ? 'Copies for sale' : `Copies for sale in ${genre}`}>
      <nav aria-label="Genres" className="tags">
        {genre && <Link to={pathTo('/copies', {})}>All</Link>}
        {genres?.edges.map(({ node: { name } }) => (
          <Link key={name} to={pathTo('/copies', { genre: name })} aria-current={name === genre}>
            {name}
          </Link>
        ))}
      </nav>
      <OrderForm
        key={`${order} ${currency}`}
        order={order}
        currency={currency}
        currencies={(currencies ?? [{ code: currency }]).map(({ code }) => code)}
        choose={(wanted, by) => navigate(pathTo('/copies', { genre, order: wanted, currency: by }))}
      />
      <Answer isLoading={loading && !copies} error={error}>
        {copies?.edges.length === 0 && <p>Nobody sells such a copy right now.</p>}
        <ul className="rows" aria-label="Copies">
          {copies?.edges.map(({ node }) => (
            <Copy key={node.id} copy={node} title={<Link to={`/book/${node.book.id}`}>{node.title}</Link>} />
          ))}
        </ul>
        {copies && (
          <More
            isLast
            label="Show more copies"
            page={copies.pageInfo}
            load={(after) => fetchMore({ variables: { ...variables, after } })}
          />
        )}
      </Answer>
    </Page>
  );
}

interface OrderProps {
  readonly order: string;
  readonly currency: string;
  readonly currencies: readonly string[];
  readonly choose: (order: string | undefined, currency: string | undefined) => void;
}

/** The choice of an order, with a currency if it is by price. */
function OrderForm({ order, currency, currencies, choose }: OrderProps) {
  const [chosen, setChosen] = useState(order);
  const send = (values: FormData) => {
    choose(given(values, 'order'), given(values, 'currency'));
    return Promise.resolve([]);
  };
  return (
    <Form label="Order" button="Show them" send={send}>
      <Choice
        name="order"
        label="Order"
        defaultValue={order}
        onChange={({ target }) => setChosen(target.value)}
        options={[
          ['', 'Newest first'],
          ['cheapest', 'Cheapest first'],
          ['dearest', 'Most expensive first'],
        ]}
      />
      {chosen !== '' && (
        <Choice
          key={currencies.length}
          name="currency"
          label="Currency"
          defaultValue={currency}
          options={currencies.map((code) => [code, `${currencyOf(code)} (${code})`])}
        />
      )}
    </Form>
  );
}
