-- No page and no statement of the server calls these two functions. Vehicles become one when their owners are merged.

drop function public.delete_contact_method(bigint);

drop function public.merge_vehicles(uuid, uuid, integer, integer);
